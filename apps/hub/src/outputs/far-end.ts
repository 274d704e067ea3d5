// Connects to a destination. Errors have the texts of ffmpeg, from which the reasons for the operator are derived.
import { connect as dialPlain, type Socket } from 'node:net'
import { connect as dialTls } from 'node:tls'

export interface FarAddress {
  readonly host: string
  readonly port: number
  /** The certificate is not checked, as ffmpeg does not by itself. */
  readonly isTls: boolean
}

const defaultPorts: Readonly<Record<string, number>> = { rtmp: 1935, rtmps: 443, rtsp: 554, rtsps: 322 }

/** Throws TypeError for what is no address. */
export function farAddressOf(url: string): FarAddress {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase()
  const { hostname, port } = new URL(url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || defaultPorts[scheme] || 0,
    isTls: scheme.endsWith('s'),
  }
}

export const dial = ({ host, port, isTls }: FarAddress): Socket =>
  isTls ? dialTls({ host, port, servername: host, rejectUnauthorized: false }) : dialPlain({ host, port })

const ffmpegTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  ENOTFOUND: 'Name or service not known',
  EAI_AGAIN: 'Temporary failure in name resolution',
  ETIMEDOUT: 'Connection timed out',
  ECONNRESET: 'Connection reset by peer',
  EPIPE: 'Broken pipe',
}

export const ffmpegTextOf = (error: Error & { code?: string; errors?: readonly Error[] }): string => {
  const first = error.errors?.[0] as typeof error | undefined
  return ffmpegTexts[error.code ?? first?.code ?? ''] ?? error.message
}
