// The unit's own page: one document, one style sheet and one script, all from the unit itself.
import { type Language, pageTexts } from './page-texts.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? '')

const documentOf = (language: Language, name: string, body: string) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
${body}
</html>
`

export function pageHtml(language: Language, name: string): string {
  const words = pageTexts[language]
  const section = (id: string, title: string, tag: string) =>
    `<section><h2>${title}</h2><${tag} id="${id}"></${tag}></section>`
  return documentOf(
    language,
    name,
    `<body data-since="${escaped(words.since)}" data-gone="${escaped(words.unitGone)}"
  data-mute="${escaped(words.mute)}" data-hold="${escaped(words.holdToTalk)}" data-not-changed="${escaped(words.notChanged)}">
<header><h1>${escaped(name)}</h1><p id="live" class="line"></p><p id="failure" class="why" lang="en"></p></header>
<p id="tally" role="status" data-text="${escaped(words.onAir)}"></p>
<main>
${section('cameras', words.cameras, 'div')}
<section><h2>${words.intercom}</h2><p id="noLines" class="line"></p><div id="lines"></div></section>
${section('links', words.links, 'ul')}
${section('videoReturn', words.videoReturn, 'p')}
${section('core', words.core, 'p')}
</main>
<script src="/page.js"></script>
</body>`,
  )
}

export function passwordHtml(language: Language, name: string, message: string): string {
  const words = pageTexts[language]
  return documentOf(
    language,
    name,
    `<body>
<header><h1>${escaped(name)}</h1></header>
<main><form method="post" action="/password">
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>${words.enter}</button>
${message && `<p role="alert">${escaped(message)}</p>`}
</form></main>
</body>`,
  )
}

/** Black on white and large: it is read in sunlight, on a phone. */
export const pageCss = `:root { color-scheme: light; --red: #d4002a; --green: #00692f; --amber: #8a4b00; --grey: #595959; }
* { box-sizing: border-box; }
body { margin: 0; padding: 28px; background: #fff; color: #000; font: 20px/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, #tally { max-width: 720px; margin: 0 auto; }
h1 { margin: 0; font-size: 28px; }
h2 { margin: 24px 0 4px; font-size: 18px; }
h3 { margin: 0; font-size: 20px; }
p, ul { margin: 0; padding: 0; }
li { display: flex; flex-wrap: wrap; gap: 0 12px; justify-content: space-between; padding: 6px 0; border-bottom: 2px solid #000; list-style: none; }
.line { font-weight: 700; color: var(--amber); }
.line.good { color: var(--green); }
#live { font-size: 26px; }
.why { color: var(--amber); }
#cameras { display: grid; gap: 12px; }
figure { margin: 0; }
img { display: block; width: 100%; background: #000; }
img[hidden], button[hidden] { display: none; }
figcaption { display: flex; justify-content: space-between; gap: 12px; }
#lines > div { padding: 6px 0 16px; border-bottom: 2px solid #000; }
#tally { display: none; }
body.on-air #tally { display: block; margin-top: 12px; padding: 8px; background: var(--red); color: #fff; font-size: 44px; font-weight: 800; text-align: center; }
body.on-air::before { content: ""; position: fixed; inset: 0; border: 20px solid var(--red); pointer-events: none; z-index: 1; }
body.gone main { opacity: .35; }
label, input, button { display: block; width: 100%; margin-top: 8px; font: inherit; }
input, button { padding: 12px; border: 2px solid #000; border-radius: 6px; background: #fff; color: #000; }
button { background: #000; color: #fff; font-weight: 700; }
button:focus-visible { outline: 4px solid #0050c8; outline-offset: 3px; }
.mute { background: #fff; color: #000; }
.mute[aria-pressed="true"] { background: var(--amber); border-color: var(--amber); color: #fff; }
.talk { padding: 28px 12px; font-size: 26px; touch-action: none; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none; }
.talk[aria-disabled="true"] { background: #fff; border: 2px dashed var(--grey); color: var(--grey); }
.talk[aria-pressed="true"] { background: #fff; border: 2px solid #000; color: #000; }
.open .talk[aria-pressed="true"] { background: var(--green); border-color: var(--green); color: #fff; }
[role="alert"] { margin-top: 8px; color: var(--red); font-weight: 700; }
[role="alert"]:empty { margin: 0; }
`

export const pageScript = `'use strict'
const find = (id) => document.getElementById(id)
const { since, gone, mute, hold, notChanged } = document.body.dataset
const silentAfterMs = 4000
/** The unit closes the microphone when it has heard nothing of a held button for longer. */
const renewMs = 1000
let heardMs = Date.now()

function withTime({ text, sinceMs }) {
  if (sinceMs === undefined) return text
  const time = new Date(sinceMs).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit' })
  return text + ' ' + since.replace('{time}', time)
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

function showLine(element, line) {
  element.className = line.isGood ? 'line good' : 'line'
  setText(element, withTime(line))
}

/** Shows one child for each item, and makes each once. */
function showItems(parent, items, make, show) {
  while (parent.children.length > items.length) parent.lastElementChild.remove()
  while (parent.children.length < items.length) parent.append(make())
  items.forEach((item, at) => show(parent.children[at], item, at))
}

function make(name, ...children) {
  const element = document.createElement(name)
  element.append(...children)
  return element
}

function showCamera(figure, { name, still, text }, at) {
  const [image, caption] = figure.children
  image.alt = name
  image.hidden = still === null
  const address = '/cameras/' + (at + 1) + '.jpg?' + still
  if (still !== null && image.getAttribute('src') !== address) image.src = address
  setText(caption.children[0], name)
  setText(caption.children[1], text)
}

/** The line shows whether the unit has done it. */
async function change(line, path, order) {
  const request = {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ line: Number(line.dataset.line), ...order }),
  }
  const isDone = await fetch(path, request).then(({ ok }) => ok, () => false)
  setText(line.lastElementChild, isDone ? '' : notChanged)
}

function makeButton(className, text) {
  const button = make('button', text)
  button.type = 'button'
  button.className = className
  button.setAttribute('aria-pressed', false)
  return button
}

/** A name for a press that no other one has. */
const newPress = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** Open while it is held: by a pointer, the space bar or Enter. */
function makeTalkButton(line) {
  const button = makeButton('talk', hold)
  let release = () => {}

  function begin() {
    release()
    if (button.getAttribute('aria-disabled') === 'true') return
    const press = newPress()
    let isWaiting = false
    async function renew() {
      if (isWaiting) return
      isWaiting = true
      await change(line, '/talk', { press, held: true })
      isWaiting = false
    }
    const timer = setInterval(renew, renewMs)
    button.setAttribute('aria-pressed', true)
    renew()
    release = () => {
      release = () => {}
      clearInterval(timer)
      button.setAttribute('aria-pressed', false)
      change(line, '/talk', { press, held: false })
    }
  }

  const isKey = ({ key }) => key === ' ' || key === 'Enter'
  const end = () => release()
  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    button.setPointerCapture(event.pointerId)
    begin()
  })
  button.addEventListener('keydown', (event) => {
    if (!isKey(event)) return
    event.preventDefault()
    if (!event.repeat) begin()
  })
  button.addEventListener('keyup', (event) => {
    if (isKey(event)) end()
  })
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur']) button.addEventListener(name, end)
  // A long touch would open a menu.
  button.addEventListener('contextmenu', (event) => event.preventDefault())
  addEventListener('blur', end)
  addEventListener('pagehide', end)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) end()
  })
  return button
}

function makeIntercomLine() {
  const line = make('div', make('h3'), make('p'), make('p'), make('p'), make('p'))
  const [why, microphone] = [line.children[3], line.children[4]]
  const muteButton = makeButton('mute', mute)
  const alert = make('p')
  line.setAttribute('role', 'group')
  why.className = 'why'
  why.lang = 'en'
  microphone.setAttribute('role', 'status')
  alert.setAttribute('role', 'alert')
  muteButton.addEventListener('click', () =>
    change(line, '/microphone', { muted: muteButton.getAttribute('aria-pressed') !== 'true' }))
  line.append(muteButton, makeTalkButton(line), alert)
  return line
}

function showIntercomLine(line, { intercom, name, connection, detail, failure, microphone, isMuted, canTalk }) {
  const [title, state, where, why, open, muteButton, talkButton] = line.children
  line.dataset.line = intercom
  line.setAttribute('aria-label', name)
  setText(title, name)
  showLine(state, connection)
  setText(where, detail)
  setText(why, failure)
  showLine(open, microphone)
  // The button is green by the word of the unit alone.
  line.className = microphone.isGood ? 'open' : ''
  muteButton.hidden = isMuted === null
  talkButton.hidden = isMuted === null
  muteButton.setAttribute('aria-pressed', isMuted === true)
  talkButton.setAttribute('aria-disabled', !canTalk)
}

function showTally(isOn) {
  const tally = find('tally')
  document.body.classList.toggle('on-air', isOn)
  setText(tally, isOn ? tally.dataset.text : '')
}

function show(state) {
  document.body.classList.remove('gone')
  showTally(state.onAir)
  showLine(find('live'), state.live)
  setText(find('failure'), state.failure)
  showItems(find('cameras'), state.cameras, () => make('figure', make('img'), make('figcaption', make('span'), make('span'))), showCamera)
  setText(find('noLines'), state.noLines)
  showItems(find('lines'), state.lines, makeIntercomLine, showIntercomLine)
  showItems(find('links'), state.links, () => make('li', make('span'), make('span')), (item, link) => {
    setText(item.children[0], link.name)
    showLine(item.children[1], link)
  })
  showLine(find('videoReturn'), state.videoReturn)
  showLine(find('core'), state.core)
}

/** Marks the page as outdated and clears tally and open microphones. */
function showGone() {
  document.body.classList.add('gone')
  showTally(false)
  for (const line of find('lines').children) line.className = ''
  showLine(find('live'), { text: gone, isGood: false })
}

const events = new EventSource('/events')
events.onmessage = ({ data }) => {
  heardMs = Date.now()
  show(JSON.parse(data))
}
events.onerror = () => {
  showGone()
  // The unit refuses, for instance since its password is another one now.
  if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000)
}
setInterval(() => {
  if (Date.now() - heardMs > silentAfterMs) showGone()
}, 1000)
`
