// The two histories of devices in the browser: read, filtered and exported.
import { describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice } from '../stage/device.ts'
import { adminPassword } from '../stage/stage.ts'

describe.runIf(hasChromium)('histories of devices', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page

  test('[STAFF-011] are below the system settings, filtered and exported', async () => {
    const unit = await joinDevice(opened.stage, { name: 'History-Van', groupId: 'london-news' })
    await signInOnPage(
      page(),
      opened.stage.url,
      'admin',
      adminPassword,
      '/psg/system_settings/history_device_group',
    )
    const row = page().locator('[data-row-id]', { hasText: 'History-Van' })
    await row.getByText('London-News').waitFor()
    await row.getByText('automatically').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByLabel('What', { exact: true }).selectOption('left')
    await row.waitFor({ state: 'detached' })
    await page().getByLabel('What', { exact: true }).selectOption('Joined and left')
    await row.waitFor()
    const download = page().waitForEvent('download')
    await page().getByRole('columnheader', { name: 'Device' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Export list' }).click()
    const text = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString()
    expect(text).toContain('History-Van,joined,London-News,automatically')
    await page().getByRole('link', { name: 'Devices and inventories' }).click()
    await row.getByText('North Atlantic News').waitFor()
    expect(await violations(page())).toEqual([])
    unit.close()
  })
})
