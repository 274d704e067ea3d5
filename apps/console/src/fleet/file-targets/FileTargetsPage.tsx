// /manage/file_targets: the FTP, SFTP and S3 targets to which a customer sends its files.
import type { FileTarget } from '@backhaul/contract/nouns/file-targets'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { EditedItems } from '../../kit/EditedListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import { FileTargetDialog } from './FileTargetDialog.tsx'
import { checkTarget, removeTarget, targets } from './file-targets.ts'

export function FileTargetsPage() {
  const { t } = useTranslation('fileTargets')
  const { choice, inventory, ...list } = useCustomerList(targets)
  const columns = useMemo(() => columnsOf(t), [t])

  async function check(target: FileTarget): Promise<void> {
    try {
      await checkTarget(target)
      toast({ title: t('checked'), text: target.name, tone: 'good' })
    } catch (error) {
      toast({ ...describeFault(error), tone: 'critical' })
    }
  }

  return (
    <EditedItems
      list={list}
      gridId="fileTargets"
      exportName="file-targets"
      words={t('list', { returnObjects: true })}
      actions={choice}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ id }) => id}
      form={(target, more) => (
        <FileTargetDialog key={target?.id} inventory={inventory} target={target} {...more} />
      )}
      moreOf={(target) => [{ id: 'check', label: t('check'), run: () => void check(target) }]}
      question={(target) => ({
        title: t('deleteTitle', { name: target.name }),
        text: t('deleteText'),
        run: () => removeTarget(target),
        done: { title: t('deleted'), text: target.name },
      })}
    />
  )
}

const byName = (a: FileTarget, b: FileTarget): number => compareTexts(a.name, b.name)

const searched = ({ name, address, username }: FileTarget) => [name, address, username]

function columnsOf(t: TFunction<'fileTargets'>): readonly GridColumn<FileTarget>[] {
  return [
    textColumn('name', t('field.name'), 220, ({ name }) => name, { required: true }),
    textColumn('kind', t('field.kind'), 120, ({ kind }) => t(`kind.${kind}`)),
    textColumn('address', t('field.address'), 340, ({ address }) => address),
    textColumn('username', t('column.username'), 160, ({ username }) => username),
    textColumn('sendsAll', t('column.sendsAll'), 150, ({ sendsAll }) =>
      t(sendsAll ? 'allFiles' : 'chosenFiles'),
    ),
    textColumn('sentMetadata', t('field.sentMetadata'), 130, ({ sentMetadata }) =>
      t(`metadata.${sentMetadata}`),
    ),
  ]
}
