/**
 * The one place where the specification contradicts itself. It is asked before all open points: there the text is silent,
 * here it says two things, and this project had to choose one of them.
 */
export const contradiction = {
  title: 'First of all: which success codes are stated?',
  text: 'Section 4 says that no success code is shown for any endpoint. Yet sections 4.1, 4.9 and 4.10 each show one: 200, for the list of agents, the list of MCP servers and the tools of an MCP server.',
  reading:
    'The specific statement counts. So these three endpoints answer 200, which is a must, and the success codes of the other seven are open: the questions below ask for them.',
  wrongReading:
    'If section 4 counts, the conformance suite fails servers that are right, at these three endpoints, and clients must take any code from 200 to 299 there too.',
  sentences: {
    'the specific statement':
      'Success status codes: 200 where a response is headed so (4.1, 4.9, 4.10); not shown for the other endpoints.',
    'section 4':
      'Success status codes: not shown for any endpoint. The 200 in the headings of 4.1, 4.9 and 4.10 is an example.',
  },
} as const;
