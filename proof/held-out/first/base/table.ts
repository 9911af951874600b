/** A table of the in-memory store: the few SQL verbs that the repositories need. Rows go in and out as copies. */
export type Where<Row> = Partial<Row> | ((row: Row) => boolean);

export interface Selection<Row> {
  where?: Where<Row>;
  orderBy?: (a: Row, b: Row) => number;
  limit?: number;
  offset?: number;
}

export class Table<Row extends { id: string }> {
  #rows: Row[] = [];

  select(selection: Selection<Row> = {}): Row[] {
    const found = this.#rows.filter(matcher(selection.where));
    if (selection.orderBy) found.sort(selection.orderBy);
    const from = selection.offset ?? 0;
    return found.slice(from, from + (selection.limit ?? found.length)).map((row) => ({ ...row }));
  }

  first(where: Where<Row>): Row | undefined {
    return this.select({ where, limit: 1 })[0];
  }

  count(where?: Where<Row>): number {
    return this.#rows.filter(matcher(where)).length;
  }

  insert(row: Row): Row {
    this.#rows.push({ ...row });
    return row;
  }

  /** Returns the number of rows changed. */
  update(where: Where<Row>, changes: Partial<Row>): number {
    const found = this.#rows.filter(matcher(where));
    for (const row of found) Object.assign(row, changes);
    return found.length;
  }

  /** Returns the number of rows removed. */
  delete(where: Where<Row>): number {
    const matches = matcher(where);
    const before = this.#rows.length;
    this.#rows = this.#rows.filter((row) => !matches(row));
    return before - this.#rows.length;
  }
}

function matcher<Row>(where: Where<Row> | undefined): (row: Row) => boolean {
  if (where === undefined) return () => true;
  if (typeof where === 'function') return where;
  const columns = Object.keys(where) as (keyof Row)[];
  return (row) => columns.every((column) => row[column] === where[column]);
}
