export function isSuccess({ status }: { status: number }): boolean {
  return status >= 200 && status <= 299;
}

export function isClientError({ status }: { status: number }): boolean {
  return status >= 400 && status <= 499;
}

/** Client errors that say nothing about the input: they are about the key, the connection, or the request rate. */
const unrelatedToInput: readonly number[] = [401, 407, 408, 421, 425, 429];

/** Whether a request was refused because of its input. */
export function isInputRefused(answer: { status: number }): boolean {
  return isClientError(answer) && !unrelatedToInput.includes(answer.status);
}

/** Whether HTTP lets a response with this status have a body. */
export function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205;
}
