/** The headers that only a mock sends. To add one, add it here: CORS lets pages read all of them. */
export const mockHeaders = {
  requestId: 'x-request-id',
  openPoints: 'x-open-points',
  sandbox: 'x-sandbox',
  retiredSandboxes: 'x-retired-sandboxes',
  fault: 'x-fault',
  undeclared: 'x-undeclared',
  error: 'x-mock-error',
  hint: 'x-mock-hint',
} as const;
