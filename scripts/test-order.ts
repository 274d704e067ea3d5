// The order of test files in a run: the long ones first, so that none of them is left alone at the end.
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of 30 s and more on two cores, by `npm test -- --times`, in the order within each of the four runs of Vitest. A file
 * that is not here comes later, by its size.
 */
const longest = [
  // In real time.
  'tests/system/conformance-hub.test.ts',
  'tests/system/conformance-agent.test.ts',
  'tests/system/video-return.test.ts',
  'tests/system/control-room.test.ts',
  'apps/agent/src/cameras.test.ts',
  'apps/agent/src/real-unit.test.ts',
  // The tests of other running programs that wait most are first, while the above judge pictures and sound.
  'tests/system/conformance-simulator.test.ts',
  'tests/system/addresses.test.ts',
  'tests/system/ingest.test.ts',
  'tests/system/file-targets.test.ts',
  'tests/system/agent-restarts.test.ts',
  'tests/system/ip-pipe.test.ts',
  'tests/system/faults.test.ts',
  'apps/agent/src/networks/cellular.test.ts',
  'apps/agent/src/networks/modems.test.ts',
  'tests/system/transmissions.test.ts',
  'tests/system/data-folders.test.ts',
  'apps/hub/src/files/ingest-folder.test.ts',
  'tests/system/intercom.test.ts',
  'tests/system/databridge.test.ts',
  'apps/hub/src/intake/rist-input.test.ts',
  'apps/hub/src/intake/inputs.test.ts',
  'apps/hub/src/outputs/outputs.test.ts',
  'apps/hub/src/outputs/srt-listener.test.ts',
  'tests/system/device-upgrades.test.ts',
  'tests/system/release.test.ts',
  'apps/hub/src/hls/hls.test.ts',
  'tests/system/channel-settings.test.ts',
  'tests/system/transceiver.test.ts',
  'apps/hub/src/hub.test.ts',
  // Tests that keep the processors busy, or act in a browser, begin when the ones in real time have ended.
  'tests/system/clock-steps.test.ts',
  'tests/system/main-job.test.ts',
  'tests/system/every-call.test.ts',
  'tests/system/remote-actions.test.ts',
  'tests/system/uploads.test.ts',
  'apps/hub/src/returns/returns.test.ts',
  'tests/system/recordings.test.ts',
  'tests/system/publishing.test.ts',
  'tests/system/multipoint.test.ts',
  'tests/system/cameras.test.ts',
  'tests/system/live-move.test.ts',
  'apps/hub/src/loops/loops.test.ts',
  'tests/system/demo-fleet.test.ts',
  // All others.
  'apps/core/src/tenancy.test.ts',
  'apps/core/src/main.test.ts',
  'apps/core/src/transmission/transmissions/transmissions.test.ts',
  'apps/core/src/permissions.test.ts',
  'apps/core/src/people/sign-ins/sign-ins.test.ts',
  'apps/core/src/usage/licences/licences.test.ts',
  'apps/core/src/usage/services/services.test.ts',
  'apps/core/src/usage/device-services/device-services.test.ts',
  'apps/core/src/usage/reports/reports.test.ts',
  'apps/core/src/fleet/invitations/invitations.test.ts',
  'apps/core/src/footage/file-targets/file-targets.test.ts',
  'apps/core/src/platform/geocoding/geocoding.test.ts',
  // In a browser.
  'tests/browser/routes.test.ts',
  'tests/browser/live.test.ts',
  'tests/browser/shell.test.ts',
  'tests/browser/system-area.test.ts',
  'tests/browser/new-customer.test.ts',
  'tests/browser/multiview.test.ts',
  'tests/browser/map.test.ts',
  'tests/browser/unit-configuration.test.ts',
  'tests/browser/unit-page.test.ts',
  'tests/browser/manage-groups.test.ts',
  'tests/browser/widgets.test.ts',
  'tests/browser/manage-channels.test.ts',
  'tests/browser/units.test.ts',
  'tests/browser/purposes.test.ts',
  'tests/browser/wall-return.test.ts',
  'tests/browser/entities.test.ts',
  'tests/browser/devices.test.ts',
  'tests/browser/system-messages.test.ts',
  'tests/browser/special-pages.test.ts',
  'tests/browser/second-factors.test.ts',
  'tests/browser/ingest.test.ts',
  'tests/browser/preferences.test.ts',
  'tests/browser/easy-live.test.ts',
  'tests/browser/partial-access.test.ts',
  'tests/browser/inventories.test.ts',
  'tests/browser/real-return.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) => {
      const at = longest.indexOf(relative(project.vitest.config.root, moduleId))
      return at < 0 ? longest.length : at
    }
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    // A worker that shares modules between files ends when the next one is of another project.
    const ofProject = new Map<string, number>()
    for (const file of files) {
      const { name } = file.project
      ofProject.set(name, Math.min(place(file), ofProject.get(name) ?? longest.length))
    }
    const projectOf = ({ project }: TestSpecification) => ofProject.get(project.name) ?? longest.length
    const others = await super.sort(files)
    return others.toSorted(
      (one, other) =>
        group(one) - group(other) || projectOf(one) - projectOf(other) || place(one) - place(other),
    )
  }
}
