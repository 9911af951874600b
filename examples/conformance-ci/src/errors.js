/** An error for which Fastify returns status 404. */
export function notFound(what) {
  return Object.assign(new Error(`There is no such ${what}.`), { statusCode: 404 });
}
