/**
 * The value of a JSON column. Its shape is what the program stored there, or what an import recorded and cleaned, which
 * the caller names; nothing from outside is ever read with this.
 */
export function storedJson<Value>(text: string): Value {
  return JSON.parse(text) as Value
}
