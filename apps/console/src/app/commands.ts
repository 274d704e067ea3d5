// Commands of the palette: the screens, the selected unit's acts, the units and groups by name, and the shell itself.
import { Theme } from '@backhaul/contract/nouns/preferences'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { pressStart } from '../fleet/units/StartButton.tsx'
import {
  type KnownUnit,
  knownUnit,
  knownUnits,
  selectUnit,
  startActOf,
  statusKeyOf,
  useStart,
} from '../fleet/units/units.ts'
import { enterGroup, groupsState } from '../people/groups/groups.ts'
import { preferences, setPreferences } from '../session/preferences/preferences.ts'
import { signedIn, signOut, useMay } from '../session/sign-ins/sign-ins.ts'
import type { Command } from '../ui/palette-search.ts'
import { openDialog } from './dialogs.ts'
import { menuItemsOf } from './menu.ts'
import { homePath } from './routes.ts'

/** Made again each time the palette opens: the fleet of that moment. */
export function useCommands(): () => Command[] {
  const toScreens = useScreenCommands()
  const toUnits = useUnitCommands()
  const toGroups = useGroupCommands()
  const ofShell = useShellCommands()
  return useCallback(
    () => [...toScreens(), ...ofShell(), ...toUnits(), ...toGroups()],
    [toScreens, ofShell, toUnits, toGroups],
  )
}

function useScreenCommands(): () => Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return useCallback(() => {
    const roles = signedIn.get()?.configuration.loggedUserRoles ?? []
    return menuItemsOf(roles).map(
      ({ path, label, key }): Command => ({
        id: `screen-${path}`,
        group: t('palette.screens'),
        label: t(`menu.${label}`),
        ...(key && { keys: ['G', key.toUpperCase()] }),
        run: () => void navigate({ href: path }),
      }),
    )
  }, [t, navigate])
}

/** First the acts on the selected unit, then every unit of the group. */
function useUnitCommands(): () => Command[] {
  const { t } = useTranslation()
  const { t: tUnits } = useTranslation('units')
  const navigate = useNavigate()
  const mayOperate = useMay('operateUnits')
  const start = useStart()
  return useCallback(() => {
    const acts = (unit: KnownUnit): Command[] => {
      const act = startActOf(unit, mayOperate)
      const group = t('palette.selected')
      const open: Command = {
        id: 'unit-open',
        group,
        label: t('palette.openPage', { name: unit.name }),
        run: () => void navigate({ href: `/unit/${unit.uid}` }),
      }
      if (act === undefined) return [open]
      const label = tUnits('startName', { action: tUnits(`start.${act}`), name: unit.name })
      return [{ id: 'unit-start', group, label, run: () => pressStart(unit, mayOperate, start) }, open]
    }
    const selected = knownUnit(preferences.get().lastSelectedUnit ?? '')
    const all = knownUnits().map(
      (unit): Command => ({
        id: `unit-${unit.uid}`,
        group: t('palette.units'),
        label: unit.name,
        hint: tUnits(statusKeyOf(unit)),
        run: () => {
          selectUnit(unit.uid)
          void navigate({ href: homePath })
        },
      }),
    )
    return [...(selected ? acts(selected) : []), ...all]
  }, [t, tUnits, navigate, mayOperate, start])
}

function useGroupCommands(): () => Command[] {
  const { t } = useTranslation()
  return useCallback(() => {
    const { groups, current } = groupsState.get()
    return groups
      .filter(({ uid }) => uid !== current?.uid)
      .map((group) => ({
        id: `group-${group.uid}`,
        group: t('palette.groups'),
        label: group.name,
        hint: group.inventoryName,
        run: () => enterGroup(group),
      }))
  }, [t])
}

function useShellCommands(): () => Command[] {
  const { t } = useTranslation()
  return useCallback(() => {
    const group = t('palette.console')
    return [
      {
        id: 'keys',
        group,
        label: t('palette.keys'),
        keys: ['?'],
        run: () => openDialog('keys'),
      },
      ...Theme.options
        .filter((theme) => theme !== preferences.get().theme)
        .map((theme) => ({
          id: `theme-${theme}`,
          group,
          label: t(`user.${theme}`),
          run: () => setPreferences({ theme }),
        })),
      { id: 'preferences', group, label: t('user.preferences'), run: () => openDialog('preferences') },
      { id: 'account', group, label: t('user.account'), run: () => openDialog('account') },
      { id: 'about', group, label: t('user.about'), run: () => openDialog('about') },
      { id: 'logout', group, label: t('user.logout'), isLast: true, run: () => void signOut() },
    ]
  }, [t])
}
