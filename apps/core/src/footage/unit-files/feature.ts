import { unitFileRoutes } from './unit-file-routes.ts'
import { createUnitFiles } from './unit-files.ts'

export function unitFilesFeature(needs: Parameters<typeof createUnitFiles>[0]) {
  const unitFiles = createUnitFiles(needs)
  return {
    face: unitFiles,
    routes: { unitFiles: unitFileRoutes(unitFiles) },
    bind: unitFiles.bind,
    start: unitFiles.start,
    stop: unitFiles.stop,
  }
}
