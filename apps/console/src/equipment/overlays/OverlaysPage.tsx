// /manage/graphics: the graphics of a customer, which lie over what channels send on.
import type { Overlay } from '@backhaul/contract/nouns/overlays'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { AddButton } from '../../ui/AddButton.tsx'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { GraphicDialog } from './GraphicDialog.tsx'
import { channelNames, kilobytesOf, sizeText } from './graphic-words.ts'
import { NewGraphicDialog } from './NewGraphicDialog.tsx'
import { graphics, removeGraphic } from './overlays.ts'

export function OverlaysPage() {
  const { t } = useTranslation('overlays')
  const { choice, inventory, ...list } = useCustomerList(graphics)
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const filter = useMemo(() => textFilter(text, searched), [text])
  const columns = useMemo(() => columnsOf(t), [t])
  const addButton = <AddButton label={t('add')} waits={list.state === 'loading'} onClick={add} />
  return (
    <ListScreen
      {...list}
      gridId="graphics"
      exportName="graphics"
      label={t('title')}
      search={{ label: t('search'), text, onText: setText }}
      actions={
        <>
          {choice}
          {addButton}
        </>
      }
      columns={columns}
      defaultCompare={byName}
      filter={filter}
      onOpen={(id) => open('edit', id)}
      rowMenu={(id) => [
        { id: 'show', label: t('show'), run: () => open('edit', id) },
        { id: 'delete', label: t('delete'), run: () => open('delete', id), danger: true },
      ]}
      empty={{ ...t('empty', { returnObjects: true }), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
    >
      {over?.kind === 'edit' && over.item === null ? (
        <NewGraphicDialog inventory={inventory} onClose={close} />
      ) : null}
      {over?.kind === 'edit' && over.item ? (
        <GraphicDialog
          key={over.item.id}
          graphic={over.item}
          onDelete={() => over.item && open('delete', over.item.id)}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('deleteTitle', { name: over.item.name })}
          text={t('deleteText')}
          okLabel={t('delete')}
          run={() => removeGraphic(over.item)}
          done={{ title: t('deleted'), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byName = (a: Overlay, b: Overlay): number => compareTexts(a.name, b.name)

const searched = (graphic: Overlay) => [graphic.name, channelNames(graphic)]

function columnsOf(t: TFunction<'overlays'>): readonly GridColumn<Overlay>[] {
  return [
    textColumn('name', t('column.name'), 280, ({ name }) => name, { required: true }),
    textColumn('size', t('column.size'), 140, sizeText, {
      compare: (a, b) => a.width * a.height - b.width * b.height,
    }),
    figureColumn('kilobytes', t('column.kilobytes'), 90, kilobytesOf),
    textColumn('channels', t('column.channels'), 320, channelNames),
    timeColumn('createdAt', t('column.createdAt'), 180, ({ createdAt }) => createdAt),
  ]
}
