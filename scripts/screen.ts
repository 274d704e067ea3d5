/** The information for a user who has just started Backhaul in a terminal. */
export interface Started {
  url: string
  programs: readonly string[]
  /** The demo's fleet size; 0 without the demo. */
  simulatedUnits: number
  /** The password of `admin`, where the launcher made it. */
  adminPassword?: string
  /** Given by BACKHAUL_ADMIN_PASSWORD; it is not repeated on the screen. */
  isPasswordGiven: boolean
  /** Where the first super user is made, while there is none. */
  firstRunUrl?: string
  signIns: readonly SignIn[]
  /** The registration key of the first group, for new units. */
  registrationKey: string
  dataFolder: string
  /** The folder that the programs write their logs to. */
  logFolder: string
  database: string
  /** The functions that do not work on this machine. */
  remarks: readonly string[]
}

/** A user of the demo with a published password. */
export interface SignIn {
  username: string
  password: string
  /** Role and customer of the user, for instance `operator, north`. */
  role: string
}

/** The one screen of `npm start`. */
export function startedScreen(started: Started): string {
  const { url, programs, simulatedUnits, registrationKey, dataFolder, database, logFolder, remarks } = started
  const fleet = simulatedUnits > 0 ? `demo with ${simulatedUnits} simulated units` : 'no demo'
  const lines = [
    '',
    `  Backhaul is running: ${url}`,
    '',
    ...table([
      ['running', `${programs.join(', ')} (${fleet})`],
      ['data', `${dataFolder} (${database})`],
      ['logs', logFolder],
    ]),
    '',
    ...howToSignIn(started),
    '',
    '  Connect a real unit: on the machine with the camera, in a clone of Backhaul, run',
    `    BACKHAUL_CORE_URL=${gatewayUrl(url, '<this machine>')} BACKHAUL_REGISTRATION_KEY=${registrationKey} npm run agent`,
    '',
    ...remarks.map((remark) => `  ${remark}`),
    '  Stop with Ctrl-C.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

function howToSignIn({ firstRunUrl, adminPassword, isPasswordGiven, signIns }: Started): string[] {
  if (firstRunUrl) return ['  Make the first super user, in a browser', `    ${firstRunUrl}`]
  const password = isPasswordGiven ? 'the password in BACKHAUL_ADMIN_PASSWORD' : adminPassword
  if (password === undefined) return ['  Sign in as the super user that you have made']
  return [
    '  Sign in as',
    ...table([
      ['admin', password, 'super user'],
      ...signIns.map(({ username, password, role }) => [username, password, role]),
    ]),
  ]
}

/** Columns as wide as their widest cell. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}

/** The door for devices of the core at `url`; `host` replaces an address that devices cannot use. */
export function gatewayUrl(url: string, host?: string): string {
  const { protocol, hostname, port } = new URL(url)
  const reachable = host ?? (['0.0.0.0', '[::]'].includes(hostname) ? '127.0.0.1' : hostname)
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${reachable}${port ? `:${port}` : ''}/gateway`
}
