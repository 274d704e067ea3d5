// The parts of an address that must not appear in a list of processes: ffmpeg gets them in a file instead.

import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitCredentials } from './credentials.ts'
import type { RtmpPlace } from './rtmp-sign-in.ts'

export interface OpenAddress {
  /** The address as every user of this machine may see it. */
  readonly url: string
  /** Options of ffmpeg for the parts that were removed. */
  readonly options: readonly (readonly [name: string, value: string])[]
  /** Texts that must not be written to a log. */
  readonly secrets: readonly string[]
}

/** @param proof the result of a sign-in at RTMP, appended to the name of the application */
export function withoutSecrets(named: string, proof = ''): OpenAddress {
  const { url, credentials } = splitCredentials(named)
  const open = url.startsWith('srt:') ? ofSrt(url) : ofRtmp(url, proof)
  const password = credentials?.password ?? ''
  return {
    ...open,
    secrets: [...open.secrets, ...(password === '' ? [] : [password, encodeURIComponent(password)])],
  }
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
const rtmpWithoutKey = /^(rtmps?:\/\/[^/]+)\/([^/]+)\/?$/

/** Undefined where it is no address of RTMP that can be taken apart. */
export function rtmpPlaceOf(url: string): (RtmpPlace & { key: string | undefined }) | undefined {
  const [, server, app, key] = rtmpParts.exec(url) ?? rtmpWithoutKey.exec(url) ?? []
  return server && app && isOneLine(url) ? { server, app, key } : undefined
}

function ofRtmp(url: string, proof: string): OpenAddress {
  const place = rtmpPlaceOf(url)
  if (!place) return { url, options: [], secrets: [] }
  const { server, app, key } = place
  if (key === undefined && proof === '') return { url, options: [], secrets: [] }
  const open = `${server}/${app.split('?')[0]}`
  const ofApp = ['rtmp_app', app + proof] as const
  // The slash keeps ffmpeg from taking the name of the application for the key.
  if (key === undefined) return { url: `${open}/`, options: [ofApp], secrets: [] }
  return { url: open, options: [ofApp, ['rtmp_playpath', key]], secrets: [key] }
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
