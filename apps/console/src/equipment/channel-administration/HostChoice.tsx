import { Select, type SelectProps } from '@mantine/core'

interface HostChoiceProps extends Pick<SelectProps, 'label' | 'placeholder' | 'value' | 'error'> {
  hosts: readonly { uid: string; name: string; inventoryName: string }[] | undefined
  onHost: (uid: string) => void
}

/** The server of a new channel, with the customer that it belongs to. */
export function HostChoice({ hosts = [], onHost, ...select }: HostChoiceProps) {
  return (
    <Select
      {...select}
      data={hosts.map(({ uid, name, inventoryName }) => ({
        value: uid,
        label: `${name} (${inventoryName})`,
      }))}
      allowDeselect={false}
      searchable
      onChange={(uid) => onHost(uid ?? '')}
    />
  )
}
