// The columns of a folder on a unit: a mark, the name, and what became of a file's upload.
import { IconFile, IconFolderFilled } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, sizeText } from '../../ui/locale.ts'
import styles from './unit-files.module.css'
import { mark, percentOf, type ShownEntry } from './unit-files.ts'

/** Folders first, then the newest file. */
export const byKindThenNewest = (a: ShownEntry, b: ShownEntry): number =>
  Number(b.isFolder) - Number(a.isFolder) || b.modifiedMs - a.modifiedMs || compareTexts(a.name, b.name)

export function entryColumns(
  t: TFunction<'unitFiles'>,
  onFolder: (path: string) => void,
): readonly GridColumn<ShownEntry>[] {
  const stateText = ({ upload }: ShownEntry): string => {
    if (!upload) return ''
    const percent = upload.state === 'uploading' ? percentOf(upload) : null
    return percent === null ? t(`state.${upload.state}`) : t('state.percent', { percent })
  }
  return [
    {
      id: 'mark',
      title: t('column.mark'),
      width: 78,
      align: 'center',
      required: true,
      actionsOnly: true,
      render: ({ path, name, isFolder, marked }) =>
        isFolder ? null : (
          <input
            type="checkbox"
            className={styles.entryMark}
            aria-label={t('mark', { name })}
            checked={marked}
            onChange={({ currentTarget }) => mark(path, currentTarget.checked)}
          />
        ),
      text: () => '',
    },
    textColumn('name', t('column.name'), 320, ({ name }) => name, {
      required: true,
      render: ({ name, path, isFolder }) =>
        isFolder ? (
          <button
            type="button"
            className={`${styles.entryName} ${styles.entryFolder}`}
            onClick={() => onFolder(path)}
          >
            <IconFolderFilled size={16} aria-hidden />
            <span className="clip">{name}</span>
          </button>
        ) : (
          <span className={styles.entryName}>
            <IconFile size={16} aria-hidden />
            <span className="clip">{name}</span>
          </span>
        ),
    }),
    figureColumn('size', t('column.size'), 110, ({ isFolder, sizeBytes }) => (isFolder ? null : sizeBytes), {
      text: ({ isFolder, sizeBytes }) => (isFolder ? '' : sizeText(sizeBytes)),
    }),
    timeColumn('modified', t('column.modified'), 190, ({ modifiedMs }) => new Date(modifiedMs).toISOString()),
    textColumn('state', t('column.state'), 150, stateText),
  ]
}
