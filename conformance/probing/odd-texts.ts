/**
 * Texts that careless code changes, by content: the last part of a check's id. Together they contain all printable
 * ASCII punctuation.
 */
export const oddTexts = [
  { rule: 'letters', does: 'capitals, spaces, digits and a dot', text: 'Quarterly REPORT, v1.5: 007' },
  {
    rule: 'punctuation',
    does: 'quotes, a backslash, # and &',
    text: 'it\'s "so" `far` (c#) a&b|d;e=f@h ~\\ g!',
  },
  {
    rule: 'patterns',
    does: 'characters with a meaning in queries, patterns and encodings',
    text: 'a_b 100% x+y %41 *? [z] {n} ^v$',
  },
  { rule: 'markup', does: 'what looks like HTML, and a file name', text: '<b>bold< &lt;tag&gt; a/b.pdf' },
  { rule: 'scripts', does: 'letters of other scripts', text: '日本語 Ελληνικά العربية' },
  { rule: 'long', does: 'more than eighty characters', text: 'long-'.repeat(17) },
] as const;

/** Texts that servers may store in a different form of the same letters. */
export const unusualTexts = [
  { rule: 'accents', does: 'accents', text: 'Übersicht façade žluťoučký' },
  { rule: 'emoji', does: 'emoji', text: 'rocket 🚀 family 👩‍👩‍👧' },
] as const;

/** Texts on which careless code fails, all legal JSON strings. Whether a server accepts them is open. */
export const hardTexts = {
  nul: '\0',
  controls: '\u0001\t\n\u001f\u007f',
  'beyond-two-bytes': '🚀\u{10ffff}\ufeff\u202e',
  'more-than-255': 'x'.repeat(300),
  'thousands-of-characters': 'y'.repeat(5_000),
} as const;

/** Names that a server may treat as equal: letter case and Unicode form are open. */
export const letterTexts = {
  'letter-case': { does: 'upper-case and lower-case letters', text: '-MiXeD-QZ' },
  'composed-letters': { does: 'composed accented letters', text: '-façade-größe'.normalize('NFC') },
  'decomposed-letters': { does: 'decomposed accented letters', text: '-façade-größe'.normalize('NFD') },
  'wide-letters': { does: 'full-width letters', text: '-ｗｉｄｅ' },
} as const;

/** Made-up URLs that careless code changes. */
export const oddUrls = [
  { rule: 'path', does: 'capitals and escapes', url: 'https://mcp.example.com/Team-A/a%2Fb/100%25/' },
  { rule: 'query', does: 'a query', url: 'https://mcp.example.com/mcp?token=a+b%20c&list=1&list=2&Case=Yes' },
  { rule: 'port', does: 'a port', url: 'https://mcp.example.com:8443/mcp' },
  { rule: 'plain', does: 'http:', url: 'http://mcp.example.com/plain' },
  { rule: 'no-path', does: 'no path', url: 'https://no-path.mcp.example.com' },
  { rule: 'address', does: 'an IPv4 address and a port', url: 'http://192.0.2.17:8080/mcp?list=1' },
  { rule: 'sse', does: 'the path of the other connection type', url: 'https://mcp.example.com/team/sse' },
  { rule: 'long', does: 'more than a hundred characters', url: `https://mcp.example.com/${'long-'.repeat(20)}end` },
] as const;
