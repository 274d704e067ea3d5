// Types of setup.mjs for TypeScript code.

/** The path of Chromium, if this machine has it. */
export function findChromium(): string | undefined
/** The folder with the programs of the newest PostgreSQL ≥ 15, if this machine has it. */
export function findPostgresql(debianFolder?: string): string | undefined
/** The library that gives a program a clock of its own, if this machine has it. */
export function findFaketime(): string | undefined
/** Whether this is an unpacked archive of `npm run release`. */
export const isRelease: boolean
/** Does the work while no other start on this copy of the repository installs or builds. */
export function alone<Result>(work: () => Promise<Result>): Promise<Result>
/** Installs into a copy of this repository what its services need to run. */
export function installServices(folder: string): Promise<void>
/** Whether node_modules below the folder holds what its package-lock.json says. */
export function areDependenciesCurrent(folder?: string): boolean
