// The order of test files in a run: the long ones first, so that none of them is left alone at the end.
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of 30 s and more on two cores, by `npm test -- --times`. Those that keep a core busy stand between those that wait.
 * A file that is not here comes later, by its size.
 */
const longest = [
  'apps/core/src/tenancy.test.ts',
  'apps/core/src/main.test.ts',
  'apps/core/src/transmission/transmissions/transmissions.test.ts',
  'tests/system/conformance-agent.test.ts',
  'tests/system/conformance-hub.test.ts',
  'tests/browser/live.test.ts',
  'tests/system/clock-steps.test.ts',
  'tests/browser/shell.test.ts',
  'tests/browser/new-customer.test.ts',
  'tests/browser/multiview.test.ts',
  'tests/system/main-job.test.ts',
  'tests/browser/unit-page.test.ts',
  'tests/browser/manage-groups.test.ts',
  'tests/system/faults.test.ts',
  'tests/browser/widgets.test.ts',
  'tests/browser/manage-channels.test.ts',
  'tests/system/release.test.ts',
  'tests/browser/units.test.ts',
  'tests/browser/purposes.test.ts',
  'tests/system/transmissions.test.ts',
  'tests/system/channel-settings.test.ts',
  'tests/browser/wall-return.test.ts',
  'tests/browser/entities.test.ts',
  'apps/hub/src/intake/inputs.test.ts',
  'tests/browser/devices.test.ts',
  'tests/system/uploads.test.ts',
  'tests/browser/system-messages.test.ts',
  'apps/hub/src/hub.test.ts',
  'tests/browser/special-pages.test.ts',
  'tests/system/agent-restarts.test.ts',
  'tests/browser/second-factors.test.ts',
  'apps/hub/src/outputs/outputs.test.ts',
  'tests/browser/ingest.test.ts',
  'tests/system/live-move.test.ts',
  'tests/browser/preferences.test.ts',
  'apps/hub/src/loops/loops.test.ts',
  'tests/browser/easy-live.test.ts',
  'tests/system/demo-fleet.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) => {
      const at = longest.indexOf(relative(project.vitest.config.root, moduleId))
      return at < 0 ? longest.length : at
    }
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const others = await super.sort(files)
    return others.toSorted((one, other) => group(one) - group(other) || place(one) - place(other))
  }
}
