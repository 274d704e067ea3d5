/** The programs of a stage: `npm test` builds them once, since each start from the sources costs twice the processor time. */
import { join } from 'node:path'
import { mainOf, type ProgramName } from '../../scripts/program-build.ts'

const repository = join(import.meta.dirname, '..', '..')

export const mainOfStage = (name: ProgramName): string =>
  mainOf(repository, name, Boolean(process.env.TEST_BUILT_PROGRAMS))
