/** Resolves when the event loop has had some turns, one unless it says otherwise: whatever was waiting has gone on. */
export async function nextTurn(turns = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
