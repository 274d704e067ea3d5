import {
  type Channel,
  type ChannelCounters,
  channelIcon,
  channelIsIn,
  countChannels,
  countedChannelState,
  describeChannel,
  displayedChannelName,
  inputTypeWord,
} from '@backhaul/contract/nouns/channels'
import { Popover } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconServer, IconShare } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { NoChannels } from '../../people/groups/NoChannels.tsx'
import { setFilter, useFilter } from '../../session/preferences/preferences.ts'
import { useItem, useListVersion } from '../../ui/keyed-store.ts'
import { QuickSearch } from '../../ui/QuickSearch.tsx'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { useValue } from '../../ui/value.ts'
import {
  byChannelName,
  channelGlyph,
  channelStore,
  channelsState,
  reloadChannels,
  useMembersOf,
  watchChannels,
} from '../channels/channels.ts'
import { ServerCard } from '../servers/ServerCard.tsx'
import styles from './multiview.module.css'
import { channelDragType } from './Tile.tsx'

interface ChannelPanelProps {
  shown: readonly (string | null)[]
  onPlace: (channelId: string) => void
}

const states = ['busy', 'idle', 'offline'] as const
const counterNames = [
  'busy',
  'idle',
  'offline',
  'sdi',
  'smpte',
  'cdn',
  'preview',
  'studio',
  'share',
  'distributor',
  'output',
  'input',
] as const satisfies readonly (keyof ChannelCounters)[]

/** The channels of the group by server: to drag, or to place by Enter. */
export function ChannelPanel({ shown, onPlace }: ChannelPanelProps) {
  const { t } = useTranslation('multiview')
  const { t: words } = useTranslation('ui')
  const filter = useFilter('multiView')
  const state = useValue(channelsState)
  const version = useListVersion(channelStore)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids change with the list only
  useEffect(() => watchChannels(channelStore.ids()), [channelStore.size()])
  const all = channelStore.ids().flatMap((id) => channelStore.get(id) ?? [])
  const chosen = filter.chosen.state ?? []
  const wanted = filter.text.toLowerCase()
  const list = all
    .filter((channel) => chosen.length === 0 || chosen.includes(countedChannelState(channel.status)))
    .filter((channel) =>
      `${channel.name} ${channel.allocatedToUnitAlias ?? ''}`.toLowerCase().includes(wanted),
    )
    .sort(byChannelName)
  const servers = [...new Map(list.map((channel) => [channel.serverId, channel.serverName]))]
  return (
    <aside
      className={styles.channelPanel}
      data-part="channel-panel"
      aria-label={t('channels')}
      data-version={version}
    >
      <div className={styles.channelPanelHead}>
        <QuickSearch
          value={filter.text}
          onChange={(text) => setFilter('multiView', { ...filter, text })}
          label={t('search')}
        />
        <button
          type="button"
          className="plain-button tool-button"
          aria-expanded={filter.open}
          onClick={() => setFilter('multiView', { ...filter, open: !filter.open })}
        >
          {filter.open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          {t('filters')}
        </button>
      </div>
      {filter.open ? <StateChips /> : null}
      <div className={styles.channelList}>
        {servers.map(([serverId, serverName]) => (
          <section key={serverId} aria-label={serverName}>
            <ServerHead id={serverId} name={serverName} />
            <ul>
              {list
                .filter((channel) => channel.serverId === serverId)
                .map((channel) => (
                  <ChannelRow
                    key={channel.uniqueId}
                    channel={channel}
                    onWall={shown.includes(channel.uniqueId)}
                    onPlace={onPlace}
                  />
                ))}
            </ul>
          </section>
        ))}
        {all.length === 0 && state === 'ready' ? <NoChannels /> : null}
        {list.length === 0 && !(all.length === 0 && state === 'ready') ? (
          <p className={`quiet ${styles.channelNone}`}>{t(state === 'ready' ? 'none' : state)}</p>
        ) : null}
        {list.length === 0 && state === 'error' ? (
          <button type="button" className={`plain-button ${styles.channelRetry}`} onClick={reloadChannels}>
            {words('retry')}
          </button>
        ) : null}
      </div>
      <Counters counters={countChannels(all)} />
    </aside>
  )
}

function StateChips() {
  const { t } = useTranslation('multiview')
  const filter = useFilter('multiView')
  const chosen = filter.chosen.state ?? []
  const toggle = (name: string) =>
    setFilter('multiView', {
      ...filter,
      chosen: {
        ...filter.chosen,
        state: chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name],
      },
    })
  return (
    <fieldset className={`chips ${styles.channelChips}`}>
      <legend className="visually-hidden">{t('filters')}</legend>
      {states.map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={chosen.includes(name)}
          onClick={() => toggle(name)}
        >
          {t(`counter.${name}`)}
        </button>
      ))}
    </fieldset>
  )
}

function ServerHead({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('multiview')
  return (
    <Popover position="right-start" withArrow trapFocus={false}>
      <Popover.Target>
        <button
          type="button"
          className={styles.serverHead}
          data-part="server-head"
          aria-label={t('server', { name })}
        >
          <IconServer size={13} />
          <span className="clip">{name}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ServerCard id={id} />
      </Popover.Dropdown>
    </Popover>
  )
}

function ChannelRow({
  channel: given,
  onWall,
  onPlace,
}: {
  channel: Channel
  onWall: boolean
  onPlace: (id: string) => void
}) {
  const { t } = useTranslation('multiview')
  const channel = useItem(channelStore, given.uniqueId) ?? given
  const icon = channelIcon({ kind: channel.kind, isSharing: channel.sharing, status: channel.status })
  const iconName = describeChannel(channel).icon
  const kind = channel.inputType ? inputTypeWord[channel.inputType] : channel.kind
  const machines = channel.multipointMachines.map(({ uid }) => channelStore.get(uid)?.name ?? uid)
  const tip = machines.length === 0 ? kind : `${kind} → ${machines.join(', ')}`
  const word = channelIsIn(channel.status, 'offline') ? 'offline' : channel.status
  return (
    <li>
      <button
        type="button"
        className={styles.channelRow}
        data-part="channel-row"
        draggable
        aria-pressed={onWall}
        onDragStart={(event) => event.dataTransfer.setData(channelDragType, channel.uniqueId)}
        onClick={() => onPlace(channel.uniqueId)}
      >
        <StatusGlyph {...channelGlyph(channel)} size={12} />
        <span className="clip" data-part="channel-row-name">
          {displayedChannelName(channel.name)}
        </span>
        <span className={styles.channelKind} data-colour={icon.colour} data-tip={tip} data-icon={iconName}>
          {icon.sharing ? <IconShare size={11} aria-label={t('counter.share')} /> : null}
          {t(`kind.${channel.inputType ?? channel.kind}`)}
        </span>
        <span className={`quiet clip ${styles.channelRowUnit}`}>
          {channel.kind === 'GROUP_CHANNEL' ? (
            <Collecting id={channel.uniqueId} />
          ) : (
            (channel.allocatedToUnitAlias ?? t(`status.${word}`))
          )}
        </span>
      </button>
    </li>
  )
}

/** Number of collecting members of a multi-camera channel, live (GAP-CHAN-04). */
function Collecting({ id }: { id: string }) {
  const { t } = useTranslation('multiview')
  useListVersion(channelStore)
  const members = useMembersOf(id)
  const statuses = members.map((member) => channelStore.get(member)?.status)
  const collecting = statuses.filter((status) => status === 'collecting').length
  return t('collecting', { collecting, count: members.length })
}

function Counters({ counters }: { counters: ChannelCounters }) {
  const { t } = useTranslation('multiview')
  return (
    <dl className={styles.channelCounters} aria-label={t('counters')}>
      {counterNames.map((name) => (
        <div key={name}>
          <dt>{t(`counter.${name}`)}</dt>
          <dd data-counter={name}>{counters[name]}</dd>
        </div>
      ))}
    </dl>
  )
}
