/** The page. The same script is the worker, which has no document. */
import { render, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { init } from 'sortid/manual';
import { setModule } from './background';
import { InspectView } from './inspect';
import { LedgerView } from './ledger';
import { loader } from './loader';
import { MakeView } from './make';
import { isComplete, useRoute, VIEWS, address, type Route, type View } from './route';
import { SpanView } from './span';
import { isSpec, SPEC_NAMES, SPECS } from './specs';
import { messageOf } from './text';
import { CopyButton } from './ui';
import { serve } from './worker';

const LIST = new Intl.ListFormat('en-GB');
const TITLES: Record<View, string> = { inspect: 'Inspect', make: 'Make', span: 'Span of time', ledger: 'Ledger' };

function App(): JSX.Element {
  const [route, go] = useRoute();
  const [ledger, setLedger] = useState<File>();
  const [isOver, setIsOver] = useState(false);
  const [fault, setFault] = useState('');
  const { view } = route;
  const ledgerRoute = useRef<Route>(undefined);
  if (view === 'ledger') ledgerRoute.current = route;
  useEffect(() => {
    document.title = `${TITLES[view]} · sortid inspector`;
  }, [view]);

  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent) => hasFiles(event) && (depth++, setIsOver(true));
    const leave = (event: DragEvent) => hasFiles(event) && --depth <= 0 && setIsOver(false);
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = async (event: DragEvent) => {
      depth = 0;
      setIsOver(false);
      const [file, ...others] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      setFault(others.length > 0 ? `Drop one file. ${others.length + 1} were dropped, and none was read.` : '');
      if (others.length > 0) return;
      if (view === 'ledger' || /\.(ndjson|jsonl|gz|zst)$/i.test(file.name)) {
        if (view !== 'ledger') go({ view: 'ledger', value: '', params: {} });
        setLedger(file);
      } else if (file.size > 100e6) {
        setFault(
          `${file.name} has more than 100 MB. The page reads lists of IDs up to this size; the program “sortid inspect” has no limit.`,
        );
      } else {
        try {
          go({ view: 'inspect', value: '', params: {}, big: { name: file.name, text: await file.text() } });
        } catch {
          setFault(`${file.name} could not be read. Is it a folder?`);
        }
      }
    };
    const events = { dragenter: enter, dragleave: leave, dragover: over, drop } as Record<
      string,
      (event: DragEvent) => unknown
    >;
    for (const [name, listener] of Object.entries(events)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(events)) removeEventListener(name, listener as EventListener);
    };
  }, [view]);

  return (
    <div class={isOver ? 'page over' : 'page'}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <h1>
          <a
            href="#inspect"
            onClick={(event) => {
              event.preventDefault();
              go({ view: 'inspect', value: '', params: {} });
            }}
          >
            sortid <span>inspector</span>
          </a>
        </h1>
        <nav aria-label="Views">
          <ul>
            {VIEWS.map((name) => (
              <li>
                <a
                  href={`#${name}`}
                  aria-current={name === view ? 'page' : undefined}
                  onClick={(event) => {
                    event.preventDefault();
                    if (name !== view) go({ view: name, value: '', params: {} });
                  }}
                >
                  {TITLES[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {view === 'inspect' && <InspectView route={route} go={go} />}
        {view === 'make' && <MakeView route={route} go={go} />}
        {view === 'span' && <SpanView route={route} go={go} />}
        {/* It stays, so that neither a run nor its result is lost in another view. */}
        {ledgerRoute.current && (
          <LedgerView route={ledgerRoute.current} go={go} file={ledger} isHidden={view !== 'ledger'} />
        )}
      </main>
      <footer>
        <p>
          {isComplete(route) ? (
            <>
              <CopyButton text={() => location.href.replace(/#.*|$/, address(route))} what="to this view">
                Copy link
              </CopyButton>
              {location.protocol === 'file:' && ' It leads to a file on this computer.'}
            </>
          ) : (
            <span>This text is too long for a link, so the address of this page does not have it.</span>
          )}
        </p>
        <p class="hint">
          Reads{' '}
          {LIST.formatToParts(SPEC_NAMES).map(({ type, value }) =>
            type === 'element' && isSpec(value) ? (
              <a href={SPECS[value].address} rel="noreferrer">
                {SPECS[value].title}
              </a>
            ) : (
              value
            ),
          )}
          . Works without a network.
        </p>
      </footer>
    </div>
  );
}

async function start(): Promise<void> {
  const root = document.getElementById('app')!;
  try {
    const module = await WebAssembly.compile(await loader.unpack('packed-module').arrayBuffer());
    setModule(module);
    init(module);
  } catch (error) {
    root.textContent = `This page needs a browser of 2023 or later, with WebAssembly. (${messageOf(error)})`;
    return;
  }
  root.textContent = '';
  render(<App />, root);
  if (location.protocol.startsWith('http') && 'serviceWorker' in navigator) {
    // Without it, the page works as well, but not without a network.
    navigator.serviceWorker.register(loader.url('sw.js')).catch(() => {});
  }
}

if (typeof document === 'undefined') serve();
else void start();
