// The servers of a group, of a type, or all in the scope of the user, as their administrators keep them.
import type { AdministeredServer } from '@backhaul/contract/nouns/device-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import type { ServerType } from '@backhaul/contract/nouns/servers'
import type { TFunction } from 'i18next'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askForAccess } from '../../fleet/access-approvals/access-approvals.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { EditedItems } from '../../kit/EditedListScreen.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { presenceLook } from '../../ui/StatusGlyph.tsx'
import { UpgradeDialog } from '../upgrades/UpgradeDialog.tsx'
import { askForUpgrade } from '../upgrades/upgrades.ts'
import {
  deleteCertificate,
  removeServer,
  restartServer,
  servers,
  useDevices,
} from './device-administration.ts'
import { byName, deviceColumns, searched } from './device-columns.ts'
import { ServerDialog } from './ServerDialog.tsx'
import { warningText } from './server-texts.ts'

interface ServerRecordsProps {
  type?: ServerType
  /** Only those that carry sound back to units. */
  withIfb?: boolean
  group?: string | undefined
  actions?: ReactNode
}

export function ServerRecords({ type, withIfb = false, group, actions }: ServerRecordsProps) {
  const { t } = useTranslation('deviceAdministration')
  const list = useDevices(servers, { type, group, withIfb })
  const { t: words } = useTranslation('upgrades')
  const kind = withIfb ? 'ifb' : type
  const [restarting, restart] = useState<AdministeredServer>()
  const mayGrant = useMay('grantSupportAccess')
  const [voided, askToVoid] = useState<AdministeredServer>()
  const columns = useMemo(() => deviceColumns(t, ownColumns(t, type, withIfb)), [t, type, withIfb])

  function refusalOf({ state, swVersion }: AdministeredServer): string | undefined {
    if (state === 'offline') return t('server.isOffline')
    const closed = gate('restartServer', { serverVersion: swVersion })
    return closed && reasonText(closed)
  }

  return (
    <EditedItems
      list={list}
      gridId={kind === undefined ? 'serverRecords' : `serverRecords.${kind}`}
      exportName="servers"
      words={{
        ...t('server.list', { returnObjects: true }),
        ...(kind && t(`server.lists.${kind}`, { returnObjects: true })),
      }}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ uid }) => uid}
      actions={actions}
      mayAdd={!withIfb}
      moreOf={(server) => [
        { id: 'upgrade', label: words('menu'), run: () => askForUpgrade(server, 'server') },
        {
          id: 'restart',
          label: t('server.restart'),
          refusal: refusalOf(server),
          danger: true,
          run: () => restart(server),
        },
        {
          id: 'certificate',
          label: t('server.certificate'),
          refusal: server.state === 'offline' ? t('server.isOffline') : undefined,
          danger: true,
          run: () => askToVoid(server),
        },
        ...(mayGrant ? [{ id: 'access', label: t('server.access'), run: () => askForAccess(server) }] : []),
      ]}
      form={(server, more) => <ServerDialog key={server?.uid} server={server} type={type} {...more} />}
      question={({ uid, name, channels }) => ({
        title: t('removeTitle', { name }),
        text: t('server.removeText', { count: channels }),
        run: () => removeServer(uid),
        done: { title: t('server.removed'), text: name },
      })}
    >
      <UpgradeDialog />
      {voided ? (
        <ConfirmDialog
          title={t('server.certificateTitle', { name: voided.name })}
          text={t('server.certificateText')}
          okLabel={t('server.certificate')}
          run={() => deleteCertificate(voided.uid)}
          done={{ title: t('server.certificateDone'), text: voided.name }}
          onClose={() => askToVoid(undefined)}
        />
      ) : null}
      {restarting ? (
        <ConfirmDialog
          title={t('server.restartTitle', { name: restarting.name })}
          text={t('server.restartText')}
          okLabel={t('server.restart')}
          run={() => restartServer(restarting.uid)}
          done={{ title: t('server.restarting'), text: restarting.name }}
          onClose={() => restart(undefined)}
        />
      ) : null}
    </EditedItems>
  )
}

/** They have none of their own: the channels of an ingest server are in its dialog. */
const withoutChannels: readonly ServerType[] = ['ingest_server', 'db_gateway']

function ownColumns(
  t: TFunction<'deviceAdministration'>,
  only: ServerType | undefined,
  withIfb: boolean,
): readonly GridColumn<AdministeredServer>[] {
  const addresses = (one: AdministeredServer) => one.addresses.join(', ')
  const boxState = ({ audioHwStatus }: AdministeredServer) =>
    audioHwStatus === '' ? '' : t(`boxState.${audioHwStatus}`)
  const warnings = (one: AdministeredServer) =>
    one.warnings.map((warning) => warningText(t, warning)).join(', ')
  return [
    ...(only === undefined
      ? [textColumn<AdministeredServer>('type', t('column.type'), 150, ({ type }) => t(`type.${type}`))]
      : []),
    ...(withIfb
      ? [
          textColumn<AdministeredServer>('IFBMode', t('setting.IFBMode'), 100, (one) =>
            t(`IFBMode.${one.IFBMode}`),
          ),
          textColumn<AdministeredServer>('ifbs', t('column.box'), 130, boxState),
        ]
      : []),
    statusColumn(
      'state',
      t('column.state'),
      110,
      ({ state }) => t(`state.${state}`),
      ({ state }) => presenceLook(state === 'online'),
    ),
    textColumn('warnings', t('column.warnings'), 220, warnings),
    ...(only !== undefined && withoutChannels.includes(only)
      ? []
      : [figureColumn<AdministeredServer>('channels', t('column.channels'), 90, ({ channels }) => channels)]),
    textColumn('addresses', t('column.addresses'), 150, addresses),
  ]
}
