/** The programs of a stage: `npm test` builds them once, since each start from the sources costs twice the processor time. */
import { join } from 'node:path'
import { builtMain, type ProgramName } from '../../scripts/parts.ts'

const repository = join(import.meta.dirname, '..', '..')

export const mainOfStage = (name: ProgramName): string =>
  process.env.TEST_BUILT_PROGRAMS
    ? builtMain(repository, name)
    : join(repository, 'apps', name, 'src', 'main.ts')
