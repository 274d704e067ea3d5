import { chmod, stat } from 'node:fs/promises'

/**
 * Opens what the hub has made in a folder that it shares with other systems to whom its owner has opened the folder;
 * otherwise it is for the hub alone, as all that it writes. A share with rights of its own may refuse that.
 */
export async function openLike(folder: string, path: string, kind: 'file' | 'folder'): Promise<void> {
  const { mode } = await stat(folder)
  await chmod(path, mode & (kind === 'file' ? 0o666 : 0o7777)).catch(() => {})
}
