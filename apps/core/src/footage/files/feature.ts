import { fileRoutes } from './file-routes.ts'
import { createFiles } from './files.ts'

export function filesFeature(needs: Parameters<typeof createFiles>[0]) {
  const files = createFiles(needs)
  return { face: files, routes: { channelFiles: fileRoutes(files) }, bind: files.bind, stop: files.close }
}
