import { type Command, isFinal } from '@backhaul/contract/nouns/commands'
import { useTranslation } from 'react-i18next'
import { givenReason } from '../../texts/generic.ts'
import { Age } from '../../ui/Age.tsx'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import styles from './command-state.module.css'
import { commandKeys, commandStateKeys } from './unit-presentation.ts'

/** The state of the newest command of a unit, and since when (core's clock). */
export function CommandState({ command }: { command: Command | null }) {
  const { t } = useTranslation('units')
  if (!command) return null
  const failed = command.state === 'refused' || command.state === 'timedOut'
  const glyph = failed
    ? ({ shape: 'triangle', tone: 'warning' } as const)
    : isFinal(command.state)
      ? ({ shape: 'disc', tone: 'ready' } as const)
      : ({ shape: 'arc', tone: 'transition' } as const)
  return (
    <p className={styles.commandState} role="status" data-state={command.state}>
      <StatusGlyph {...glyph} size={12} />
      <span>
        {t(commandKeys[command.name])}: {t(commandStateKeys[command.state])}
        {command.reason ? `. ${givenReason(command)}` : ''}
      </span>
      <span className="quiet">
        <Age atMs={command.updatedAt} />
      </span>
    </p>
  )
}
