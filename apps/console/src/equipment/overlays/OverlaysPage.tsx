// /manage/graphics: the graphics of a customer, which lie over what channels send on.
import type { Overlay } from '@backhaul/contract/nouns/overlays'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedItems } from '../../kit/EditedListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { GraphicDialog } from './GraphicDialog.tsx'
import { channelNames, kilobytesOf, sizeText } from './graphic-texts.ts'
import { NewGraphicDialog } from './NewGraphicDialog.tsx'
import { graphics, removeGraphic } from './overlays.ts'

export function OverlaysPage() {
  const { t } = useTranslation('overlays')
  const { choice, inventory, ...list } = useCustomerList(graphics)
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <EditedItems
      list={list}
      gridId="graphics"
      exportName="graphics"
      words={t('list', { returnObjects: true })}
      actions={choice}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ id }) => id}
      form={(graphic, more) =>
        graphic ? (
          <GraphicDialog key={graphic.id} graphic={graphic} {...more} />
        ) : (
          <NewGraphicDialog inventory={inventory} onClose={more.onClose} />
        )
      }
      question={(graphic) => ({
        title: t('deleteTitle', { name: graphic.name }),
        text: t('deleteText'),
        run: () => removeGraphic(graphic),
        done: { title: t('deleted'), text: graphic.name },
      })}
    />
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
