/** For tests: a modem that speaks AT commands on a socket, as far as the real ModemManager needs them. */
import { createServer, type Socket } from 'node:net'

export interface AtModem {
  /** For SetProfile of ModemManager. */
  readonly port: string
  /** Each command that it got. */
  readonly commands: readonly string[]
  /** Replaces the answer to a command, by the beginning of the command; '' answers OK alone. */
  answer(command: string, text: string): void
  /** A message that was not requested, such as a change of the registration. */
  report(text: string): void
  close(): void
}

export const imei = '490154203237518'

const registered = '2,1,"1A2B","00C3D4",7'

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
  'AT+CREG?': `+CREG: ${registered}`,
  'AT+CGREG?': `+CGREG: ${registered}`,
  'AT+CEREG?': `+CEREG: ${registered}`,
  'AT+CREG=?': '+CREG: (0-2)',
  'AT+CGREG=?': '+CGREG: (0-2)',
  'AT+COPS?': '+COPS: 0,2,"24405",7',
  'AT+COPS=?': '+COPS: (2,"Carrier A","A","24405",7),(1,"Carrier B","B","24491",7),,(0-4),(0-2)',
  'AT+WS46=?': '+WS46: (12,22,25,28,29)',
  'AT+CGDCONT=?': '+CGDCONT: (1-16),"IP",,,(0,1),(0,1)',
  'AT+CGDCONT?': '',
  'AT+CNUM': '',
  'AT+CRSM=176,12258': '+CRSM: 144,0,"984404500120305476F8"',
  'AT+CESQ=?': '+CESQ: (0-63,99),(0-7,99),(0-96,255),(0-49,255),(0-34,255),(0-97,255)',
  'AT+CESQ': '+CESQ: 99,99,255,255,20,44',
}

const accepted =
  /^AT(E0|V1|Z|X4|&C1|S0=0|H|$|\+(CMEE|C\w?REG=|CFUN=|COPS=|CNMI|CSCS|CIND|CMER|CGEREP|CGATT|CGACT|CGDCONT=))/

export async function openAtModem(name: string): Promise<AtModem> {
  const port = `abstract:${name}`
  const answers = new Map(Object.entries(usualAnswers))
  const commands: string[] = []
  const sockets = new Set<Socket>()

  function reply(command: string): string {
    commands.push(command)
    // The form in which the carrier is named from now on.
    if (command.startsWith('AT+COPS=3,0')) answers.set('AT+COPS?', '+COPS: 0,0,"Carrier A",7')
    if (command.startsWith('AT+COPS=3,2')) answers.set('AT+COPS?', '+COPS: 0,2,"24405",7')
    // What it is set to is what it answers from now on.
    const context = /^AT\+CGDCONT=(\d+,"\w+","[^"]*")/.exec(command)?.[1]
    if (context) answers.set('AT+CGDCONT?', `+CGDCONT: ${context},"",0,0`)
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
    report(text) {
      for (const socket of sockets) socket.write(`\r\n${text}\r\n`)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
