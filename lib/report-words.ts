// What the suite says about a run in sentences, for those who draw its JSON report.

/** A report in the words of the terminal. The suite makes it; the page lays it out. */
export interface ReportWords {
  headline: Headline;
  /** The failures and warnings that are not expected, in the order in which to look at them. */
  findings: FindingWords[];
  counts: ReportCounts[];
  /** Everything else that a reader should know. */
  parts: ReportPart[];
}

/** The result of a run in one line. */
export interface Headline {
  /** The verdict; after a run of a few selected checks, their outcome. */
  word: string;
  /** How good it is, for colours. */
  tone: 'good' | 'weak' | 'bad' | 'open';
  /** Everything after the word. */
  rest: string;
}

/** A finding. Those with the same cause follow the first of them. */
export interface FindingWords {
  check: string;
  /** The first finding with the same cause. */
  like?: string;
  /** How many findings are like this one: `9 more checks failed the same way`. */
  alike?: string;
  /** What was found, if the evidence does not say it. */
  found?: string;
  /** What to do if it is meant. */
  ifMeant?: string;
}

/** How many checks ended with each outcome, by operation or by section of the specification. */
export interface ReportCounts {
  by: 'operation' | 'section';
  rows: { name: string; summary: Readonly<Record<string, number>> }[];
}

/** A part of a report with a title. */
export interface ReportPart {
  title: string;
  /** How many things it is about; there may be fewer items. */
  count?: number;
  about?: string;
  items: ReportItem[];
}

/** A line: `name`, which is code, `text`, and `value`, which is code. */
export interface ReportItem {
  name?: string;
  text: string;
  value?: string;
  /** Whether it fails the run. */
  isWrong?: boolean;
  /** More sentences. */
  more?: string[];
  /** The ids of the checks that it is about. */
  checks?: string[];
  /** Texts that a target may have written, and ids. */
  values?: string[];
  /** A shell command. */
  command?: string;
}
