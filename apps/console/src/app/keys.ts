import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { unitKeys } from '../fleet/units/units.ts'
import type { KeyGroup } from '../ui/KeySheet.tsx'
import { printed } from '../ui/key-labels.ts'
import { characterKeys, isSwitchedOff } from '../ui/use-hot-key.ts'
import { useValue } from '../ui/value.ts'
import { goScreens } from './go-keys.ts'

/** The sheet: everything the keyboard can do here. */
export function useKeyGroups(): KeyGroup[] {
  const { t } = useTranslation()
  const allAct = useValue(characterKeys)
  return useMemo(() => {
    const groups: KeyGroup[] = [
      {
        title: t('keys.rows'),
        keys: [
          { keys: ['↑', '↓'], label: t('keys.move') },
          { keys: ['J', 'K'], label: t('keys.moveByLetter') },
          { keys: ['PgUp', 'PgDn'], label: t('keys.page') },
          { keys: ['Home', 'End'], label: t('keys.ends') },
          { keys: ['Space'], label: t('keys.select') },
          { keys: ['Enter'], label: t('keys.open') },
          { keys: ['→', '←'], label: t('keys.expand') },
          { keys: ['Shift', 'F10'], label: t('keys.menu') },
        ],
      },
      {
        title: t('keys.act'),
        keys: [
          { keys: [printed(unitKeys.startStop)], label: t('keys.startStop') },
          { keys: [printed(unitKeys.channel)], label: t('keys.channel') },
          { keys: [printed(unitKeys.delay)], label: t('keys.delay') },
          { keys: [printed(unitKeys.rename)], label: t('keys.rename') },
          { keys: [printed(unitKeys.comment)], label: t('keys.comment') },
        ],
      },
      {
        title: t('keys.go'),
        keys: goScreens().map(({ key, label }) => ({
          keys: ['G', key.toUpperCase()],
          label: t(`menu.${label}`),
        })),
      },
      {
        title: t('keys.everywhere'),
        keys: [
          { keys: ['Ctrl', 'K'], label: t('keys.palette') },
          { keys: ['/'], label: t('keys.search') },
          { keys: ['↓', 'Enter'], label: t('keys.fromSearch') },
          { keys: ['I'], label: t('keys.inspector') },
          { keys: ['?'], label: t('keys.sheet') },
          { keys: ['Esc'], label: t('keys.close') },
        ],
      },
    ]
    return allAct ? groups : groups.map(withoutSwitchedOff).filter(({ keys }) => keys.length > 0)
  }, [t, allAct])
}

const arrows = new Set(['↑', '↓', '→', '←'])

const withoutSwitchedOff = ({ title, keys }: KeyGroup): KeyGroup => ({
  title,
  keys: keys.filter(({ keys: [first = ''] }) => !isSwitchedOff(first) || arrows.has(first)),
})
