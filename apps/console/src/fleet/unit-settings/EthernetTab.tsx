import type { Ethernet } from '@backhaul/contract/nouns/unit-settings'
import { Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import type { SettingForm } from './setting-fields.tsx'
import styles from './unit-settings.module.css'

const addresses = ['ip', 'subnetMask', 'defaultGateway', 'dns1', 'dns2'] as const

interface EthernetTabProps {
  form: SettingForm
  /** Links of the unit by port. */
  links: ReadonlyMap<string, string>
}

/** Network settings of each socket; values from DHCP are shown and not changed. */
export function EthernetTab({ form, links }: EthernetTabProps) {
  const { t } = useTranslation('unitSettings')
  const sockets = form.settings.ethernet ?? {}
  return (
    <>
      <p className="quiet">{t('hint.ethernet')}</p>
      {Object.entries(sockets).map(([port, socket]) => (
        <Socket
          key={port}
          form={form}
          port={port}
          name={links.get(port) ?? port}
          socket={socket}
          onChange={(next) => form.set({ ethernet: { ...sockets, [port]: next } })}
        />
      ))}
    </>
  )
}

interface SocketProps {
  form: SettingForm
  port: string
  name: string
  socket: Ethernet
  onChange: (socket: Ethernet) => void
}

function Socket({ form, port, name, socket, onChange }: SocketProps) {
  const { t } = useTranslation('unitSettings')
  const closed = disabledBecause(form.whyClosed('ethernet'))
  return (
    <fieldset className={styles.settingPart}>
      <legend>
        {name} <span className="quiet mono">{socket.mac}</span>
      </legend>
      <div className={styles.settingPair}>
        <Switch
          label={t('ethernet.dhcp')}
          {...closed}
          checked={socket.dhcp}
          onChange={({ currentTarget }) => onChange({ ...socket, dhcp: currentTarget.checked })}
        />
        {socket.powerOverEthernet !== undefined && (
          <Switch
            label={t('ethernet.powerOverEthernet')}
            {...closed}
            checked={socket.powerOverEthernet}
            onChange={({ currentTarget }) =>
              onChange({ ...socket, powerOverEthernet: currentTarget.checked })
            }
          />
        )}
      </div>
      <div className={styles.settingPair}>
        {addresses.map((field) => (
          <TextInput
            key={field}
            label={t(`ethernet.${field}`)}
            error={form.fault(`ethernet.${port}.${field}`)}
            {...closed}
            readOnly={socket.dhcp}
            value={socket[field]}
            onChange={({ currentTarget }) => onChange({ ...socket, [field]: currentTarget.value })}
          />
        ))}
      </div>
    </fieldset>
  )
}
