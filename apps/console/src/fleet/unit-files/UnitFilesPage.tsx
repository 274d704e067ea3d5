// /unit/file_upload: the files on the storages of a unit, and its way to the server of the selected channel.
import { isUploadOver } from '@backhaul/contract/nouns/unit-files'
import { IconRefresh, IconTrash, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { SplitView } from '../../ui/SplitView.tsx'
import { textFilter } from '../../ui/text-filter.ts'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import { type KnownUnit, useSelectedUnit, useUnit } from '../units/units.ts'
import { byKindThenNewest, entryColumns } from './entry-columns.tsx'
import { PlaceBar } from './PlaceBar.tsx'
import { UploadDialog } from './UploadDialog.tsx'
import { UploadList } from './UploadList.tsx'
import {
  deleteFiles,
  entryStore,
  folderState,
  markedPaths,
  noteUploads,
  type OpenFolder,
  openFolder,
  type ShownEntry,
  uploadFiles,
} from './unit-files.ts'

const none: KnownUnit['uploadedFiles'] = []

export function UnitFilesPage() {
  const { t } = useTranslation('unitFiles')
  const [uid, select] = useSelectedUnit()
  const unit = useUnit(uid)
  const place = usePlace(unit)
  const uploads = unit?.uploadedFiles ?? none
  useEffect(() => noteUploads(uploads), [uploads])
  return (
    <SplitView
      id="unit-files"
      main={<FolderList unit={unit} place={place} onUnit={select} />}
      side={<UploadList unit={unit} />}
      sideLabel={t('uploads.resize')}
    />
  )
}

type Place = ReturnType<typeof usePlace>

/** The folder that is open: the first storage of a unit, until the user goes elsewhere. */
function usePlace(unit: KnownUnit | undefined) {
  const [chosen, choose] = useState<OpenFolder | null>(null)
  const storages = unit?.storages ?? []
  const isOpenable = unit !== undefined && !unit.offline && unit.capabilities.fileUpload === true
  const isBelow = (path: string) =>
    storages.some((one) => path === one.path || path.startsWith(`${one.path}/`))
  const first = storages[0]?.path
  const uid = unit?.uid
  const path = chosen !== null && chosen.uid === uid && isBelow(chosen.path) ? chosen.path : first
  const folder = useMemo(
    () => (isOpenable && uid !== undefined && path !== undefined ? { uid, path } : null),
    [isOpenable, uid, path],
  )
  const uploads = unit?.uploadedFiles ?? none
  const look = () => void openFolder(folder, uploads)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each folder, not with each news of uploads
  useEffect(look, [folder])
  return { folder, look, go: (next: string) => uid !== undefined && choose({ uid, path: next }) }
}

interface FolderListProps {
  unit: KnownUnit | undefined
  place: Place
  onUnit: (uid: string | null) => void
}

function FolderList({ unit, place, onUnit }: FolderListProps) {
  const { t } = useTranslation('unitFiles')
  const { folder, look, go } = place
  const list = useValue(folderState)
  const [text, setText] = useState('')
  const [asked, ask] = useState<readonly string[] | null>(null)
  /** Files whose metadata is entered first. */
  const [prompted, setPrompted] = useState<readonly string[] | null>(null)
  const notAllowed = useMay('deleteFiles') ? undefined : reasonText('file.deleteNotAllowed')
  const columns = useMemo(() => entryColumns(t, go), [t, go])
  const filter = useMemo(() => textFilter(text, ({ name }: ShownEntry) => [name]), [text])
  useListVersion(entryStore)
  const marked = markedPaths()
  const nowhere = unit?.selectedChannelName === '' ? t('noChannel') : undefined

  async function upload(paths: readonly string[]): Promise<void> {
    if (!folder) return
    if (unit?.promptMetadata) return setPrompted(paths)
    const fault = await uploadFiles(folder.uid, paths)
    if (fault) toast({ ...fault, tone: 'critical' })
  }

  return (
    <ListScreen
      gridId="unitFiles"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        <>
          <ToolButton
            hasWord
            label={t('upload', { count: marked.length })}
            closed={marked.length === 0 ? t('markFirst') : nowhere}
            onPress={() => void upload(marked)}
          >
            <IconUpload size={16} aria-hidden />
          </ToolButton>
          <ToolButton
            label={t('delete')}
            closed={notAllowed ?? (marked.length === 0 ? t('markFirst') : undefined)}
            onPress={() => ask(marked)}
          >
            <IconTrash size={16} aria-hidden />
          </ToolButton>
          <ToolButton label={t('refresh')} closed={folder ? undefined : t('nothingOpen')} onPress={look}>
            <IconRefresh size={16} aria-hidden />
          </ToolButton>
        </>
      }
      notice={<PlaceBar unit={unit} path={folder?.path} onUnit={onUnit} onPath={go} isCut={list.isCut} />}
      label={t('title')}
      store={entryStore}
      columns={columns}
      defaultCompare={byKindThenNewest}
      filter={filter}
      asked={folder?.path}
      onOpen={(path) => entryStore.get(path)?.isFolder && go(path)}
      rowMenu={(path) => {
        const entry = entryStore.get(path)
        if (!entry || entry.isFolder) return [{ id: 'open', label: t('open'), run: () => go(path) }]
        const isRunning = entry.upload !== undefined && !isUploadOver(entry.upload.state)
        const running = isRunning ? reasonText('upload.running') : undefined
        return [
          {
            id: 'upload',
            label: t('uploadOne'),
            run: () => void upload([path]),
            refusal: running ?? nowhere,
          },
          {
            id: 'delete',
            label: t('delete'),
            run: () => ask([path]),
            danger: true,
            refusal: notAllowed ?? running,
          },
        ]
      }}
      state={list.state}
      errorText={list.errorText}
      onRetry={look}
      empty={t(emptyOf(unit), { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="unit-files"
    >
      {prompted && unit ? (
        <UploadDialog unit={unit} paths={prompted} onClose={() => setPrompted(null)} />
      ) : null}
      {asked && folder ? (
        <ConfirmDialog
          title={t('deleteTitle', { count: asked.length })}
          text={t('deleteText', { names: asked.map(nameOf).join(', '), unit: unit?.name })}
          okLabel={t('delete')}
          run={() => deleteFiles(folder, asked, unit?.uploadedFiles ?? none)}
          done={{ title: t('deleted', { count: asked.length }), text: asked.map(nameOf).join(', ') }}
          onClose={() => ask(null)}
        />
      ) : null}
    </ListScreen>
  )
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Why there is nothing to see. */
function emptyOf(unit: KnownUnit | undefined) {
  if (!unit) return 'noUnit' as const
  if (unit.offline) return 'offline' as const
  if (unit.capabilities.fileUpload !== true) return 'cannot' as const
  return unit.storages.length === 0 ? ('noStorage' as const) : ('empty' as const)
}

interface ToolButtonProps {
  label: string
  /** Why it cannot be pressed now. */
  closed: string | undefined
  /** However little room there is. */
  hasWord?: boolean
  onPress: () => void
  children: ReactNode
}

function ToolButton({ label, closed, hasWord = false, onPress, children }: ToolButtonProps) {
  return (
    <button
      type="button"
      className="plain-button tool-button"
      aria-disabled={closed !== undefined}
      data-tip={closed ?? label}
      onClick={() => closed === undefined && onPress()}
    >
      {children}
      <span className={hasWord ? undefined : 'tool-word'}>{label}</span>
    </button>
  )
}
