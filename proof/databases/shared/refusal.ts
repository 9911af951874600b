/** Why a request is not carried out. The edge answers it with its status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function invalid(message: string): Refusal {
  return new Refusal(422, message);
}

export function unknown(what: string): Refusal {
  return new Refusal(404, `${what} not found`);
}
