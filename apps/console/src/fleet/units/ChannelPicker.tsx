import {
  type Channel,
  channelRefusal,
  displayedChannelName,
  isMultipointName,
  sessionRefusal,
  smpteRefusal,
  versionRefusal,
} from '@backhaul/contract/nouns/channels'
import { fourKRefusal } from '@backhaul/contract/nouns/gates'
import { isStreaming } from '@backhaul/contract/nouns/unit-status'
import { Combobox, InputBase, useCombobox } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClosed } from '../../people/groups/groups.ts'
import { NoChannels } from '../../people/groups/NoChannels.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { withKey } from '../../ui/key-labels.ts'
import { useItem, useListVersion } from '../../ui/keyed-store.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import {
  byChannelName,
  channelGlyph,
  channelStore,
  channelsState,
  watchChannels,
} from '../channels/channels.ts'
import styles from './channel-picker.module.css'
import { MoveDialog } from './MoveDialog.tsx'
import { channelName, isExternal } from './unit-presentation.ts'
import { unitKeys } from './units.ts'
import type { LiveUnit } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'
import { usePickerKey } from './use-unit-keys.ts'

interface ChannelPickerProps {
  unit: LiveUnit
  mayOperate: boolean
}

const none = ''

/** Wider than the field: a name must be seen whole next to the reason why its channel cannot be chosen. */
const listWidthPx = 340

/** The unit's channel; channels that cannot be used now show why. */
export function ChannelPicker({ unit, mayOperate }: ChannelPickerProps) {
  const { t } = useTranslation('units')
  const { setChannel } = useUnitActions()
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
  })
  const field = useRef<HTMLInputElement>(null)
  const [movingTo, setMovingTo] = useState<string>()
  const live = isStreaming(unit)
  // Several cameras send to the channels of their mode.
  const isFixed = live && unit.multiCameraSelectedMode !== null
  const isTied = unit.destinationChannelUid !== null
  const tied = isTied ? reasonText('p2p.fixedDestination') : undefined
  const reason = mayOperate ? (isFixed ? t('channel.whileLive') : tied) : reasonText('role.notAllowed')
  const machines = useMachines(unit)
  const multipoint = machines.length > 0 ? t('channel.multipoint', { names: machines.join(', ') }) : undefined
  const giveBack = usePickerKey(unit.uid, 'channel', () => {
    if (reason !== undefined) return toast({ title: t('channel.label'), text: reason, tone: 'warning' })
    field.current?.focus()
    combobox.openDropdown()
  })
  const external = isExternal(unit) ? reasonText('channelTip.external') : undefined
  // Enter takes the first channel that contains the typed text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store of the combobox is another one each time
  useEffect(() => {
    if (search !== '') combobox.selectFirstOption()
  }, [search])
  // The frame of the field shows what closes it.
  const isSilent = combobox.dropdownOpened || reason !== undefined
  const tip = isSilent ? undefined : (external ?? withKey(t('channel.label'), unitKeys.channel))
  const shown = combobox.dropdownOpened ? search : channelName(unit) || t('channel.none')
  return (
    <Combobox
      store={combobox}
      width={listWidthPx}
      position="bottom-start"
      middlewares={{ flip: true, shift: true }}
      onOptionSubmit={(id) => {
        combobox.closeDropdown()
        giveBack()
        // A start may have named a channel for this time alone.
        const now = (live ? unit.transmission?.channelId : undefined) ?? unit.channelId ?? none
        if (id === now) return
        if (live && !isMultipointName(channelStore.get(id)?.name ?? '')) setMovingTo(id)
        else void setChannel(unit.uid, id === none ? null : id)
      }}
    >
      <Combobox.Target>
        <InputBase
          ref={field}
          size="xs"
          label={t('channel.label')}
          description={[reason, multipoint].filter(Boolean).join(' · ') || undefined}
          data-tip={tip}
          inputWrapperOrder={['label', 'input', 'description']}
          {...disabledBecause(reason)}
          value={shown}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => combobox.closeDropdown()}
          onKeyUp={(event) => {
            if (event.key === 'Escape') giveBack()
          }}
          onChange={(event) => {
            combobox.openDropdown()
            setSearch(event.currentTarget.value)
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown mah={320} style={{ overflow: 'auto' }}>
        {combobox.dropdownOpened ? <Options unit={unit} search={search} mayBeNone={!live} /> : null}
      </Combobox.Dropdown>
      <MoveDialog unit={unit} to={movingTo} onClose={() => setMovingTo(undefined)} />
    </Combobox>
  )
}

/** Names of the point-to-multipoint machines that are selected in addition to its channel. The unit sends to its channel alone. */
function useMachines(unit: LiveUnit): string[] {
  useListVersion(channelStore)
  return unit.selectedChannels.flatMap((id) => {
    const channel = id === unit.channelId ? undefined : channelStore.get(id)
    return channel && isMultipointName(channel.name) ? [displayedChannelName(channel.name)] : []
  })
}

function Options({ unit, search, mayBeNone }: { unit: LiveUnit; search: string; mayBeNone: boolean }) {
  const { t } = useTranslation('units')
  const state = useValue(channelsState)
  useListVersion(channelStore)
  useEffect(() => watchChannels(channelStore.ids()), [])
  const mayAdminister = useMay('administerDevices')
  const isRefused = (channel: Channel) => refusalOf(channel, unit, mayAdminister) !== undefined
  const wanted = search.toLowerCase()
  const list = channelStore
    .ids()
    .flatMap((id) => channelStore.get(id) ?? [])
    .filter((channel) => channel.kind !== 'GROUP_CHANNEL')
    .filter((channel) => displayedChannelName(channel.name).toLowerCase().includes(wanted))
    .sort((a, b) => Number(isRefused(a)) - Number(isRefused(b)) || byChannelName(a, b))
  return (
    <Combobox.Options aria-label={t('channel.choices')}>
      {state === 'error' ? <Combobox.Empty>{t('channel.loadFailed')}</Combobox.Empty> : null}
      {state === 'ready' && channelStore.size() === 0 ? <NoChannels /> : null}
      {wanted === '' && mayBeNone ? (
        <Combobox.Option value={none}>{t('channel.none')}</Combobox.Option>
      ) : null}
      {list.map((channel) => (
        <Option key={channel.uniqueId} channel={channel} unit={unit} />
      ))}
    </Combobox.Options>
  )
}

/** The tooltip of a channel that the unit cannot use now (ER-TIP-01, -02, -04, -05, -08). */
function refusalOf(channel: Channel, unit: LiveUnit, mayAdminister: boolean): string | undefined {
  const refusal =
    channelRefusal(channel, unit.uid) ??
    sessionRefusal(channel, mayAdminister) ??
    versionRefusal(channel, unit) ??
    fourKRefusal(unit, channel) ??
    smpteRefusal(channel)
  return refusal && reasonText(refusal)
}

function Option({ channel: given, unit }: { channel: Channel; unit: LiveUnit }) {
  const channel = useItem(channelStore, given.uniqueId) ?? given
  const closed = useClosed('pointToMultipoint')
  const mayAdminister = useMay('administerDevices')
  // A selected machine can still be removed.
  const isMore = isMultipointName(channel.name) && !unit.selectedChannels.includes(channel.uniqueId)
  const another = useClosed('multipointContributor')
  const hasOne = unit.selectedChannels.some((id) => isMultipointName(channelStore.get(id)?.name ?? ''))
  const refusal =
    refusalOf(channel, unit, mayAdminister) ??
    (isMore ? (closed ?? (hasOne ? another : undefined)) : undefined)
  const holder = channel.allocatedToUnitUid === unit.uid ? null : channel.allocatedToUnitAlias
  return (
    <Combobox.Option
      value={channel.uniqueId}
      disabled={refusal !== undefined}
      active={channel.uniqueId === unit.channelId || unit.selectedChannels.includes(channel.uniqueId)}
      aria-checked={unit.selectedChannels.includes(channel.uniqueId)}
    >
      <span className={styles.channelOption} data-tip={refusal}>
        <StatusGlyph {...channelGlyph(channel)} size={12} />
        <span className={styles.name}>{displayedChannelName(channel.name)}</span>
        <span className="quiet clip">{refusal ? (holder ?? refusal) : channel.serverName}</span>
      </span>
    </Combobox.Option>
  )
}
