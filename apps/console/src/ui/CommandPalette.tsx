// Everything by its name: type, choose with the arrows, press Enter.
import { Kbd, Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FocusReturn } from './Dialog.tsx'
import { type Command, findCommands } from './palette-search.ts'

const shownAtOnce = 40

interface PaletteProps {
  opened: boolean
  onClose: () => void
  /** Read while the palette is open, so that it knows the fleet as it is then. */
  commands: () => readonly Command[]
}

export function CommandPalette({ opened, onClose, commands }: PaletteProps) {
  const { t } = useTranslation('ui')
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      padding={0}
      size={560}
      centered={false}
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
      returnFocus={false}
    >
      {opened ? <FocusReturn /> : null}
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')}>
        <Modal.Body>
          <Finder commands={commands} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Finder({ commands, onClose }: Omit<PaletteProps, 'opened'>) {
  const { t } = useTranslation('ui')
  const [all] = useState(commands)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = findCommands(all, typed, shownAtOnce)
  const chosen = found[Math.min(at, found.length - 1)]
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
    const step = steps[event.key]
    if (event.key === 'Enter') run(chosen)
    else if (step !== undefined) setAt(Math.max(0, Math.min(found.length - 1, at + step)))
    else return
    event.preventDefault()
  }

  return (
    <div className="palette">
      <div className="palette-field">
        <IconSearch size={18} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && `${id}-${chosen.id}`}
          aria-label={t('palette.title')}
          placeholder={t('palette.placeholder')}
          value={typed}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
        />
        <Kbd size="xs">Esc</Kbd>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        className="palette-list"
        role="listbox"
        tabIndex={-1}
        aria-label={t('palette.title')}
      >
        {found.map((command, index) => (
          <div key={command.id} role="presentation">
            {found[index - 1]?.group === command.group ? null : (
              <div className="palette-group" role="presentation">
                {command.group}
              </div>
            )}
            <div
              id={`${id}-${command.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={command === chosen}
              className="palette-item"
              onPointerMove={() => setAt(index)}
              onClick={() => run(command)}
              onKeyDown={onKeyDown}
            >
              <span className="clip">{command.label}</span>
              {command.hint ? <span className="quiet">{command.hint}</span> : null}
              {command.keys?.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </div>
          </div>
        ))}
      </div>
      <p className="palette-none" role="status">
        {found.length === 0 ? t('palette.none') : null}
      </p>
    </div>
  )
}
