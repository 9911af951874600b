import { validateHeaderName, validateHeaderValue } from 'node:http';

/** What is wrong with a value, in words that stand behind its name; undefined when nothing is. */
export type Complaint = string | undefined;

/** What is wrong with a URL. It is not repeated: it may hold a password. */
export function urlComplaint(text: string): Complaint {
  if (!/^https?:\/\//i.test(text)) return 'must begin with http:// or https://';
  return URL.canParse(text) ? undefined : 'must be a URL, such as http://127.0.0.1:8080/v0.1';
}

/** What is wrong with a base URL. */
export function baseUrlComplaint(text: string): Complaint {
  const complaint = urlComplaint(text);
  if (complaint !== undefined) return complaint;
  const { username, password } = new URL(text);
  if (username !== '' || password !== '')
    return 'must hold no user and no password; what a gateway wants goes into a header';
  if (text.includes('#')) return 'must have no fragment (#)';
  if (text.includes('?')) return 'must have no query (?)';
  return undefined;
}

/** What is wrong with a key. */
export function keyComplaint(text: string): Complaint {
  if (/^[!-~]+$/.test(text)) return undefined;
  return text === ''
    ? 'must not be empty'
    : 'must be printable ASCII without blanks and line breaks, as it travels in a header';
}

// The suite sets these itself, and leaves the key out on purpose.
const ownHeaders = ['x-api-key', 'authorization'];
const framingHeaders = ['content-type', 'content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade'];

/** What is wrong with a header that every request is to carry. Its value is not repeated. */
export function headerComplaint(name: string, value: string): Complaint {
  const lower = name.toLowerCase();
  if (!isValid(() => validateHeaderName(name))) return 'is no name of a header';
  if (ownHeaders.includes(lower)) return 'carries the key, which the suite sends or leaves out itself';
  if (framingHeaders.includes(lower)) return 'belongs to each request alone';
  if (!isValid(() => validateHeaderValue(name, value))) return 'has a value with characters that no header can carry';
  return undefined;
}

function isValid(validate: () => void): boolean {
  try {
    validate();
    return true;
  } catch {
    return false;
  }
}
