// A file of upgrades in the browser: chosen, judged line by line, run, and read until the devices have answered.
import { api } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('batch upgrades', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const row = (text: string) => page().locator('[data-row-id]', { hasText: text })
  let units: StageDevice[] = []
  let root: Person
  beforeAll(async () => {
    const actual = { capabilities: { upgrade: true } }
    const more = { groupId, swVersion: '8.5.0', actual }
    units = [
      await joinDevice(opened.stage, { name: 'Batch-1', ...more }),
      await joinDevice(opened.stage, { name: 'Batch-2', ...more }),
      await joinDevice(opened.stage, { name: 'Batch-9', ...more, swVersion: '9.2.1' }),
    ]
    units[1]?.report({ applications: { store: { state: 'running' } } })
    root = await signIn(opened.stage.url, 'admin', adminPassword)
    const body = { number: '9.3', path: 'r/9.3', products: ['LU-600'] }
    await root.call(api.softwareVersions.create, { body })
  })
  afterAll(() => {
    for (const unit of units) unit.close()
  })

  const choose = async (lines: readonly string[], button = 'Choose a CSV file') => {
    const chooser = page().waitForEvent('filechooser')
    await page().getByRole('button', { name: button }).click()
    const buffer = Buffer.from(lines.join('\r\n'))
    await (await chooser).setFiles({ name: 'upgrades.csv', mimeType: 'text/csv', buffer })
  }

  test('[UPG-006] a file is judged line by line, run, and reported', async () => {
    await signInOnPage(page(), opened.stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'Batch upgrade' }).click()
    await page().getByText('No file yet').waitFor()
    expect(await violations(page())).toEqual([])
    await choose(['serial,version', 'STAGE-Batch-1,9.3'])
    await page().getByText('The first line must be “serialNumber,targetVersion”.').waitFor()
    const lines = ['STAGE-Batch-1,9.3', 'STAGE-Batch-2,9.3', 'STAGE-Batch-3,9.3']
    await choose(['serialNumber,targetVersion', ...lines])
    await row('STAGE-Batch-1').getByText('ready').waitFor()
    await row('STAGE-Batch-2').getByText('will wait').waitFor()
    await row('STAGE-Batch-2').getByText('Unit is busy.').waitFor()
    await row('STAGE-Batch-3').getByText('Device not found.').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'Upgrade 2 devices' }).click()
    expect(await violations(page())).toEqual([])
    await page().getByRole('dialog').getByRole('button', { name: 'Upgrade 2 devices' }).click()
    await row('STAGE-Batch-1').getByText('upgrading').waitFor()
    await row('STAGE-Batch-2').getByText('pending').waitFor()
    const { id } = await units[0]!.received('order', ({ name }) => name === 'upgrade')
    units[0]!.send({ type: 'upgradeProgress', upgradeId: id, percent: 100, resultCode: 103 })
    await row('STAGE-Batch-1').getByText('failed', { exact: true }).waitFor()
    await row('STAGE-Batch-1').getByText('OS upgrade failed.').waitFor()

    // The report is found again.
    await page().reload()
    await page().getByText('No file yet').waitFor()
    await page().getByLabel('Earlier files').selectOption({ index: 1 })
    await row('STAGE-Batch-1').getByText('OS upgrade failed.').waitFor()
    expect(
      await page()
        .getByRole('button', { name: /^Upgrade \d/ })
        .count(),
    ).toBe(0)
    const download = page().waitForEvent('download')
    await page().getByRole('columnheader', { name: 'Verdict' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Export list' }).click()
    const text = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString()
    expect(text).toContain('STAGE-Batch-1,Batch-1,8.5.0,9.3,failed,OS upgrade failed')
  })

  test('[UPG-006] the warning on a line is read in Spanish', async () => {
    await root.call(api.client.savePreferences, { body: { language: 'es' } })
    await page().evaluate(() => localStorage.clear())
    await page().reload()
    await choose(['serialNumber,targetVersion', 'STAGE-Batch-9,9.3'], 'Elegir un archivo CSV')
    const words = 'Aviso de la versión 9.2.1: se pierde la configuración, actualice antes a 9.2.6.'
    await row('STAGE-Batch-9').getByText(words).waitFor()
  })
})
