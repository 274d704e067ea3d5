/** For tests: a modem that speaks AT commands on a socket, as far as the real ModemManager needs them. */
import { createServer, type Socket } from 'node:net'

export interface AtModem {
  /** For SetProfile of ModemManager. */
  readonly port: string
  /** Each command that it got. */
  readonly commands: readonly string[]
  /** Replaces the answer to a command, by the beginning of the command; '' answers OK alone. */
  answer(command: string, text: string): void
  /** It is registered with the network of another country, or of its own again, and reports it. */
  roam(isRoaming: boolean): void
  close(): void
}

export const imei = '490154203237518'

/** The carriers around it; it registers with the first when it chooses. */
export const carriers = { '24405': 'Carrier A', '24491': 'Carrier B' } as const
type Carrier = keyof typeof carriers
const ownCarrier: Carrier = '24405'

/** Where its registration is reported: by circuits, by packets, by LTE. */
const registrations = ['CREG', 'CGREG', 'CEREG']
const cell = '"1A2B","00C3D4",7'
const searchMs = 100
const registered = { home: `1,${cell}`, roaming: `5,${cell}` }

/** By the beginning of the command; a longer one is tried before a shorter one. */
const usualAnswers: Record<string, string> = {
  'AT+CPIN?': '+CPIN: READY',
  'AT+GCAP': '+GCAP: +CGSM',
  'AT+CGMI': 'Maker',
  'AT+CGMM': 'Model 5',
  'AT+CGMR': '1.0',
  'AT+CGSN': imei,
  'AT+CIMI': '244050123456789',
  'AT+CFUN?': '+CFUN: 1',
  'AT+CSQ': '+CSQ: 22,99',
  ...Object.fromEntries(registrations.map((name) => [`AT+${name}?`, `+${name}: 2,${registered.home}`])),
  'AT+CREG=?': '+CREG: (0-2)',
  'AT+CGREG=?': '+CGREG: (0-2)',
  'AT+COPS=?': '+COPS: (2,"Carrier A","A","24405",7),(1,"Carrier B","B","24491",7),,(0-4),(0-2)',
  'AT+WS46=?': '+WS46: (12,22,25,28,29)',
  // Commands of modems of one maker, whose plugin of ModemManager changes technologies (2G to 4G) and reads the one in use (EDGE).
  'AT^SXRAT=?': '^SXRAT: (0-6),(0,2,3),(0,2,3)',
  'AT^SMONG':
    'GPRS Monitor\r\nBCCH  G  PBCCH  PAT MCC  MNC  NOM  TA  RAC\r\n0776  3  -      -   244   05  2    00  01',
  'AT+CGDCONT=?': '+CGDCONT: (1-16),"IP",,,(0,1),(0,1)',
  'AT+CGDCONT?': '',
  'AT+CNUM': '',
  'AT+CRSM=176,12258': '+CRSM: 144,0,"984404500120305476F8"',
  'AT+CESQ=?': '+CESQ: (0-63,99),(0-7,99),(0-96,255),(0-49,255),(0-34,255),(0-97,255)',
  'AT+CESQ': '+CESQ: 99,99,255,255,20,44',
}

const accepted =
  /^AT(E0|V1|Z|X4|&C1|S0=0|H|$|\\Q3|\^SXRAT=|\+(CMEE|C\w?REG=|CFUN=|COPS=|CNMI|CSCS|CIND|CMER|CGEREP|CGATT|CGACT|CGDCONT=))/

export async function openAtModem(name: string): Promise<AtModem> {
  const port = `abstract:${name}`
  const answers = new Map(Object.entries(usualAnswers))
  const commands: string[] = []
  const sockets = new Set<Socket>()
  let carrier: Carrier = ownCarrier
  /** Whether the carrier is named by its code from now on. */
  let isByCode = true

  /** Without a request, as ModemManager has set it up. */
  function report(text: string): void {
    for (const name of registrations) for (const socket of sockets) socket.write(`\r\n+${name}: ${text}\r\n`)
  }

  /** It is searching, and registered again behind its answer to the command. */
  function use(next: Carrier): void {
    if (next === carrier) return
    carrier = next
    report('2')
    setTimeout(() => report(registered.home), searchMs)
  }

  /** Applies a command that changes a setting; the modem reports the new value from now on. */
  function follow(command: string): void {
    const form = /^AT\+COPS=3,([02])/.exec(command)?.[1]
    if (form) isByCode = form === '2'
    if (command.startsWith('AT+COPS=0')) use(ownCarrier)
    const chosen = /^AT\+COPS=1,2,"(\d+)"/.exec(command)?.[1]
    if (chosen && chosen in carriers) use(chosen as Carrier)
    answers.set('AT+COPS?', isByCode ? `+COPS: 0,2,"${carrier}",7` : `+COPS: 0,0,"${carriers[carrier]}",7`)
    const context = /^AT\+CGDCONT=(\d+,"\w+","[^"]*")/.exec(command)?.[1]
    if (context) answers.set('AT+CGDCONT?', `+CGDCONT: ${context},"",0,0`)
  }

  function reply(command: string): string {
    commands.push(command)
    follow(command)
    if (/^AT\+COPS=3,[02];\+COPS\?/.test(command)) return reply('AT+COPS?')
    const names = [...answers.keys()].toSorted((a, b) => b.length - a.length)
    const known = names.find((start) => command.startsWith(start))
    const text = known === undefined ? undefined : answers.get(known)
    if (text === undefined && !accepted.test(command)) return '\r\nERROR\r\n'
    return `${text ? `\r\n${text}\r\n` : ''}\r\nOK\r\n`
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    let rest = ''
    socket.on('data', (bytes) => {
      const lines = `${rest}${bytes}`.split(/[\r\n]+/)
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim()) socket.write(reply(line.trim()))
    })
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(`\0${port}`, resolve))
  return {
    port,
    commands,
    answer: (command, text) => answers.set(command, text),
    roam(isRoaming) {
      const now = isRoaming ? registered.roaming : registered.home
      for (const name of registrations) answers.set(`AT+${name}?`, `+${name}: 2,${now}`)
      report(now)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
