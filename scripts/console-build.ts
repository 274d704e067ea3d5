// Builds the console for core to serve.
import { join } from 'node:path'
import { superviseChild } from '@backhaul/runtime/child-process'
import { compressFiles } from './compress-files.ts'

/** Builds it into a folder that is made. Throws with the output of the builder when it fails. */
export async function buildConsole(root: string, folder: string): Promise<void> {
  const output: string[] = []
  const { code } = await superviseChild({
    command: process.execPath,
    args: [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', folder, '--logLevel', 'warn'],
    cwd: join(root, 'apps', 'console'),
    onStdoutLine: (line) => output.push(line),
    onStderrLine: (line) => output.push(line),
  }).exited
  if (code !== 0) throw new Error(output.join('\n'))
  await compressFiles(folder)
}
