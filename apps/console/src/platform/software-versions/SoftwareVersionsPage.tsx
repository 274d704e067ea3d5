// /manage/sw_version: the versions for upgrades of devices, with customers and models.

import { shortProductName } from '@backhaul/contract/nouns/products'
import type { KnownSoftwareVersion } from '@backhaul/contract/nouns/software-versions'
import { compareVersions } from '@backhaul/contract/nouns/versions'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { inventoryName } from '../../people/inventory-names/inventory-names.ts'
import { textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { SettingDialog } from '../system-settings/SettingDialog.tsx'
import { hardwareWords, useChoices } from '../system-settings/system-settings.ts'
import { editedVersion, removeVersion, versions } from './software-versions.ts'

export function SoftwareVersionsPage() {
  const { t } = useTranslation('softwareVersions')
  const columns = useMemo(() => columnsOf(t), [t])
  const choices = useChoices('software_versions', editedVersion.fields)
  return (
    <EditedListScreen<KnownSoftwareVersion>
      list={versions}
      gridId="softwareVersions"
      exportName="software-versions"
      words={t('list', { returnObjects: true })}
      columns={columns}
      defaultCompare={newestFirst}
      searched={searched}
      idOf={({ id }) => id}
      form={(version, more) => (
        <SettingDialog
          key={version?.id}
          child={editedVersion}
          title={titleOf(t, version)}
          item={version && fieldsOf(version)}
          mayWrite={version?.mayChange ?? true}
          choices={choices}
          {...more}
        />
      )}
      question={({ id, number }) => ({
        title: t('deleteTitle', { number }),
        text: t('deleteText'),
        run: () => removeVersion(id),
        done: { title: t('deleted'), text: number },
      })}
    />
  )
}

const fieldsOf = ({ versionRecord: _, ...fields }: KnownSoftwareVersion) => fields

function titleOf(t: TFunction<'softwareVersions'>, version: KnownSoftwareVersion | null): string {
  if (!version) return t('addTitle')
  return t(version.mayChange ? 'editTitle' : 'viewTitle', { number: version.number })
}

const newestFirst = (a: KnownSoftwareVersion, b: KnownSoftwareVersion): number =>
  compareVersions(b.number, a.number) || compareTexts(a.number, b.number) || compareTexts(a.id, b.id)

const customersOf = ({ inventories }: KnownSoftwareVersion) => inventories.map(inventoryName).join(', ')

const modelsOf = ({ products }: KnownSoftwareVersion) => products.map(shortProductName).join(', ')

const searched = (version: KnownSoftwareVersion) => [
  version.number,
  version.description,
  customersOf(version),
  modelsOf(version),
]

function columnsOf(t: TFunction<'softwareVersions'>): readonly GridColumn<KnownSoftwareVersion>[] {
  return [
    textColumn('number', t('column.number'), 160, ({ number }) => number, {
      required: true,
      compare: (a, b) => -newestFirst(a, b),
    }),
    textColumn('description', t('column.description'), 240, ({ description }) => description),
    textColumn('products', t('column.products'), 180, modelsOf),
    textColumn('supportedDevices', t('column.supportedDevices'), 130, ({ supportedDevices }) =>
      supportedDevices.length === 0 ? t('all') : supportedDevices.map(hardwareWords).join(', '),
    ),
    textColumn('inventories', t('column.inventories'), 190, (one) => customersOf(one) || t('all')),
    textColumn('deprecated', t('column.deprecated'), 110, ({ deprecated }) => t(deprecated ? 'yes' : 'no')),
    textColumn('path', t('column.path'), 180, ({ path }) => path, { hiddenAtFirst: true }),
    textColumn('releaseNotesUrl', t('column.releaseNotesUrl'), 220, (one) => one.releaseNotesUrl, {
      render: ({ releaseNotesUrl }) =>
        releaseNotesUrl === '' ? (
          ''
        ) : (
          <a href={releaseNotesUrl} target="_blank" rel="noreferrer" tabIndex={-1}>
            {releaseNotesUrl}
          </a>
        ),
    }),
  ]
}
