// The function `violations` of the tests finds faults of a page: if it found none, a page with faults would pass them all.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, violations } from '../stage/browser.ts'

/** A page in two themes on which nothing is wrong but what is in `body`. */
const pageWith = (body: string) => `<!doctype html>
<html lang="en" data-mantine-color-scheme="dark">
<title>Judged</title>
<style>
  body { color: white; background: black }
  [data-mantine-color-scheme="light"] body { color: black; background: white }
  .fading { color: #777 }
  [data-mantine-color-scheme="light"] .fading { color: #ddd }
  .fading { background: white }
</style>
<main><h1>Judged</h1>${body}</main>
</html>`

describe.runIf(hasChromium)('the judgement of pages', () => {
  let chromium: Chromium
  beforeAll(async () => {
    chromium = await openChromium()
  })
  afterAll(() => chromium?.close())

  const judge = async (body: string) => {
    await chromium.page.setContent(pageWith(body))
    return (await violations(chromium.page)).map((line) => line.split(': ').slice(0, 2).join(' '))
  }
  const square = (side: number) => `style="padding: 0; border: 0; width: ${side}px; height: ${side}px"`
  const buttons = (side: number) => `<button ${square(side)}>A</button>`.repeat(3)

  test('finds nothing on a page without faults, before and after others', async () => {
    const faultless = `<p>Text</p><div>${buttons(24)}</div>`
    expect(await judge(faultless)).toEqual([])
    expect(await judge('<button></button>')).toEqual(['dark button-name'])
    expect(await judge(faultless)).toEqual([])
  })

  test('finds targets that are too small and too near to each other', async () => {
    const near = `<div style="display: flex">${buttons(12)}</div>`
    expect(await judge(near)).toEqual(['dark target-size'])
    expect(await judge(near)).toEqual(['dark target-size'])
  })

  test('finds a contrast that is too low in the theme that is not shown, each time', async () => {
    const pale = '<p class="fading">Text</p>'
    expect(await judge(pale)).toContain('light color-contrast')
    expect(await judge(pale)).toContain('light color-contrast')
  })

  test('finds a fault in the dialog that is open', async () => {
    const dialog = '<div role="dialog" aria-label="Dialog"><input type="text"></div>'
    expect(await judge(dialog)).toEqual(['dark label'])
  })
})
