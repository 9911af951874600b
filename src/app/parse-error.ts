/** Why Node could not read a request, by the code of its error. */
export function describeParseError(code: string): string {
  if (code !== 'HPE_INVALID_METHOD') return `This is not a well-formed HTTP request (${code}).`;
  return `The request begins with no known method (${code}). If its URL begins with https://, use http://.`;
}
