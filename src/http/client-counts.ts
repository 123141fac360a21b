/** How many things there are at a time, in all and of each client. */
export class ClientCounts {
  readonly #counts = new Map<string, number>()
  #total = 0

  /** Of all clients. */
  get total(): number {
    return this.#total
  }

  /** Of one client; 0 when it has none. */
  of(client: string): number {
    return this.#counts.get(client) ?? 0
  }

  /** Counts `amount` more of a client, or fewer when it is negative. */
  add(client: string, amount: number): void {
    const count = this.of(client) + amount
    this.#total += amount
    if (count > 0) this.#counts.set(client, count)
    else this.#counts.delete(client)
  }
}
