/** The header by which an answer to a write says how far the journal is, and by which a read asks for no less. */
export const SEQ_HEADER = 'x-kalends-seq'

const READS = ['GET', 'HEAD', 'OPTIONS']

/**
 * The number of the journal in an answer to a write: whoever sends it back with a read is answered from a state that
 * holds the write, whichever process is asked (architecture: Growing). `{}` for reads, whose answers may be kept.
 */
export function seqHeader(method: string, seq: (() => number) | undefined): Readonly<Record<string, string>> {
  return seq === undefined || READS.includes(method) ? {} : { [SEQ_HEADER]: String(seq()) }
}
