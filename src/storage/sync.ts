import { open } from 'node:fs/promises'

/** Makes a file, or the names in a folder, durable: a new name is only when its folder is. @throws the system's error */
export async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
