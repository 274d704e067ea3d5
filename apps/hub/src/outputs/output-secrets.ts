// The parts of an address that must not appear in a list of processes: ffmpeg gets them in a file instead.

import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface OpenAddress {
  /** The address as every user of this machine may see it. */
  readonly url: string
  /** Options of ffmpeg for the parts that were removed. */
  readonly options: readonly (readonly [name: string, value: string])[]
  /** What must not be written to a log. */
  readonly secrets: readonly string[]
}

/** User info of RTMP and RTSP has no option in ffmpeg: it stays in the address. */
export function withoutSecrets(url: string): OpenAddress {
  if (url.startsWith('srt:')) return ofSrt(url)
  if (/^rtmps?:/.test(url)) return ofRtmp(url)
  return { url, options: [], secrets: passwordOf(url) }
}

const secretOfSrt = ['passphrase', 'streamid']

function ofSrt(url: string): OpenAddress {
  const [address = '', query = ''] = url.split('?')
  const given = [...new URLSearchParams(query)]
  const options = given.filter(([name, value]) => secretOfSrt.includes(name) && isOneLine(value))
  const open = given.filter((one) => !options.includes(one)).map((one) => one.join('='))
  return {
    url: open.length > 0 ? `${address}?${open.join('&')}` : address,
    options,
    secrets: options.map(([, value]) => value),
  }
}

/** rtmp://host/app/key, rtmp://host/app/instance/key: ffmpeg reads two parts as the name of the application at most. */
const rtmpParts = /^(rtmps?:\/\/[^/]+)\/([^/]+(?:\/[^/:]+(?=\/))?)\/(.+)$/

function ofRtmp(url: string): OpenAddress {
  const [, server, app, key] = rtmpParts.exec(url) ?? []
  if (!server || !app || !key || !isOneLine(url)) return { url, options: [], secrets: passwordOf(url) }
  return {
    url: `${server}/${app.split('?')[0]}`,
    options: [
      ['rtmp_app', app],
      ['rtmp_playpath', key],
    ],
    secrets: [key, ...passwordOf(url)],
  }
}

function passwordOf(url: string): string[] {
  const person = /^[a-z]+:\/\/[^/@]*:([^/]*)@/.exec(url)?.[1]
  return person ? [person, decoded(person)] : []
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isOneLine = (text: string) => !/[\r\n]/.test(text)

/** Emptied at each start of the media thread: files of a killed thread must not remain. */
export const optionsFolder = (dataFolder: string): string => join(dataFolder, 'output-options')

/** A file of options that only this user reads; ffmpeg reads it once while it opens the output. */
export function writeOptions(
  folder: string,
  options: OpenAddress['options'],
): { path: string; remove(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  writeFileSync(path, options.map(([name, value]) => `${name}=${value}\n`).join(''), { mode: 0o600 })
  return { path, remove: () => rmSync(path, { force: true }) }
}
