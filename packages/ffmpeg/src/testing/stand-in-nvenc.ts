// No hardware that encodes is on the machines that run the tests: a program takes its place.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An ffmpeg whose NVENC is libx264, with these options in place of those of NVENC. */
export interface StandInNvenc {
  readonly path: string
  /** The process of the NVENC that was started last. */
  pid(): number
}

/** Passes everything on to ffmpeg; `name` is that of its file in the folder. */
export function standInNvenc(
  ffmpegPath: string,
  folder: string,
  name: string,
  options = '-tune zerolatency -sc_threshold 0',
): StandInNvenc {
  const path = join(folder, name)
  const pidPath = `${path}.pid`
  const script = `#!/bin/bash
[[ " $* " == *" h264_nvenc "* ]] || exec '${ffmpegPath}' "$@"
echo $$ > '${pidPath}'
args=()
while [ $# -gt 0 ]; do
  case "$1" in
    h264_nvenc) args+=(libx264 -preset ultrafast ${options}) ;;
    -tune | -rc | -zerolatency | -delay | -no-scenecut | -preset) shift ;;
    *) args+=("$1") ;;
  esac
  shift
done
exec '${ffmpegPath}' "\${args[@]}"
`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  return { path, pid: () => Number(readFileSync(pidPath, 'utf8')) }
}
