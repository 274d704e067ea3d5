import { reportRoutes } from './report-routes.ts'
import { createReports } from './reports.ts'

export function reportsFeature(needs: Parameters<typeof createReports>[0]) {
  const reports = createReports(needs)
  return {
    face: reports,
    routes: { reports: reportRoutes(reports) },
    start: reports.start,
    stop: reports.stop,
  }
}
