# Kernel driver for R.
#
# Started by the server with four descriptors: 3 requests, 4 events,
# 5 acknowledgements, 6 this text. A request is a line `execute L1 L2 ...`,
# followed by strings of those lengths in bytes: the code, then name and value of
# each environment variable. Events are JSON lines. Descriptors 1 and 2 belong to
# the code that runs.

requests <- fifo("/dev/fd/3", "rb", blocking = TRUE)
events <- fifo("/dev/fd/4", "wb", blocking = TRUE)
acks <- fifo("/dev/fd/5", "rb", blocking = TRUE)
kernel_pid <- Sys.getpid()

# ---- the private line to the server

read_bytes <- function(n) {
  bytes <- raw(0)
  while (length(bytes) < n) {
    more <- readBin(requests, "raw", n - length(bytes))
    if (length(more) == 0) quit_process(0)
    bytes <- c(bytes, more)
  }
  bytes
}

read_line <- function(connection) {
  bytes <- raw(0)
  repeat {
    byte <- readBin(connection, "raw", 1)
    if (length(byte) == 0) return(NULL)
    if (byte == as.raw(10)) return(rawToChar(bytes))
    bytes <- c(bytes, byte)
  }
}

read_request <- function() {
  header <- read_line(requests)
  if (is.null(header)) quit_process(0)
  lapply(as.integer(strsplit(header, " ")[[1]][-1]), function(n) {
    text <- rawToChar(read_bytes(n))
    Encoding(text) <- "UTF-8"
    text
  })
}

send <- function(...) {
  fields <- list(...)
  line <- paste0("{", paste0(json(names(fields)), ":", vapply(fields, json_value, ""), collapse = ","), "}\n")
  writeBin(charToRaw(enc2utf8(line)), events)
  flush(events)
}

# Waits until the server has read all that was printed before, so that nothing
# printed later can overtake the event.
send_and_wait <- function(...) {
  send(...)
  read_line(acks)
}

json_value <- function(value) {
  if (is.list(value)) {
    return(paste0("{", paste0(json(names(value)), ":", vapply(value, json_value, ""), collapse = ","), "}"))
  }
  if (is.logical(value)) return(if (value) "true" else "false")
  json(value)
}

json <- function(text) {
  text <- gsub("\\", "\\\\", enc2utf8(text), fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  text <- gsub("\n", "\\n", text, fixed = TRUE)
  text <- gsub("\t", "\\t", text, fixed = TRUE)
  text <- gsub("\r", "\\r", text, fixed = TRUE)
  for (code in setdiff(1:31, c(9, 10, 13))) {
    text <- gsub(rawToChar(as.raw(code)), sprintf("\\u%04x", code), text, fixed = TRUE)
  }
  paste0("\"", text, "\"")
}

base64 <- function(bytes) {
  alphabet <- c(LETTERS, letters, 0:9, "+", "/")
  padding <- (3 - length(bytes) %% 3) %% 3
  triples <- matrix(as.integer(c(bytes, raw(padding))), nrow = 3)
  value <- triples[1, ] * 65536L + triples[2, ] * 256L + triples[3, ]
  digits <- rbind(value %/% 262144L, value %/% 4096L %% 64L, value %/% 64L %% 64L, value %% 64L)
  text <- alphabet[digits + 1L]
  if (padding > 0) text[length(text) + 1 - seq_len(padding)] <- "="
  paste0(text, collapse = "")
}

# ---- running a cell

exit_condition <- function(status) {
  structure(class = c("kernel_exit", "condition"), list(message = as.character(status), call = NULL))
}

quit_process <- function(status) base::quit("no", status, FALSE)

execute <- function(code, ...) {
  variables <- unlist(list(...))
  names <- variables[c(TRUE, FALSE)]
  previous <- Sys.getenv(names, unset = NA, names = TRUE)
  set_variables(names, variables[c(FALSE, TRUE)])
  failure <- attempt(code)
  if (Sys.getpid() != kernel_pid) quit_process(if (is.null(failure)) 0 else 1)
  set_variables(names, previous)
  flush(stdout())
  if (!is.null(failure)) do.call(send, c(list(type = "error"), failure))
}

set_variables <- function(names, values) {
  for (i in seq_along(names)) {
    if (is.na(values[i])) Sys.unsetenv(names[i])
    else do.call(Sys.setenv, setNames(list(values[i]), names[i]))
  }
}

# Returns name, value and traceback of what stopped the code, NULL if nothing did.
attempt <- function(code) {
  calls <- NULL
  tryCatch(allowInterrupts(Sys.sleep(0)), interrupt = function(e) NULL) # meant for the last cell
  tryCatch(
    allowInterrupts(withCallingHandlers({
      send(type = "started")
      run(code)
      show_plots()
      NULL
    }, error = function(e) calls <<- sys.calls())),
    kernel_exit = function(e) list(name = "SystemExit", value = e$message, traceback = paste("quit with status", e$message)),
    interrupt = function(e) list(name = "KeyboardInterrupt", value = "", traceback = "interrupted"),
    error = function(e) describe(e, calls)
  )
}

describe <- function(e, calls) {
  message <- conditionMessage(e)
  call <- if (is.null(conditionCall(e))) "" else deparse(conditionCall(e), nlines = 1)[1]
  # The driver's own call is of no interest: the code failed at its top level.
  call <- if (call %in% c("", own_call) || grepl("^parse\\(text = code", call)) "Error" else paste("Error in", call)
  own <- own_calls(calls)
  trace <- if (length(own)) paste0(seq_along(own), ": ", own, collapse = "\n")
  list(name = class(e)[1], value = message, traceback = paste(c(paste0(call, ": ", message), trace), collapse = "\n"))
}

own_call <- "eval(expression, globalenv())"

# The calls of the cell: those between the driver's eval and the handlers.
own_calls <- function(calls) {
  lines <- vapply(calls, function(call) deparse(call, nlines = 1)[1], "")
  first <- match(own_call, lines)
  if (is.na(first)) return(character(0))
  lines <- lines[-seq_len(first + 1)]
  lines[!grepl("^(\\.handleSimpleError|h\\(simpleError|stop\\()", lines)]
}

# Values of top-level expressions are printed; the last one is the result.
run <- function(code) {
  expressions <- parse(text = code, keep.source = FALSE, encoding = "UTF-8")
  for (i in seq_along(expressions)) {
    expression <- expressions[[i]]
    outcome <- withVisible(eval(expression, globalenv()))
    if (!outcome$visible) next
    if (i == length(expressions)) show(outcome$value, TRUE) else print(outcome$value)
  }
}

show <- function(value, main = FALSE) {
  text <- paste(capture.output(print(value)), collapse = "\n")
  if (is.null(value) && main) return(invisible())
  if (text != "" && Sys.getpid() == kernel_pid) {
    flush(stdout())
    send_and_wait(type = "result", main = main, data = list(`text/plain` = text))
  }
  invisible()
}

# ---- plots: pages of a png device that is opened when the code first draws

plot_directory <- tempfile("plots")

open_device <- function(...) {
  dir.create(plot_directory, showWarnings = FALSE)
  type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
  grDevices::png(file.path(plot_directory, "%04d.png"), type = type)
}

show_plots <- function() {
  if (!dir.exists(plot_directory)) return(invisible())
  grDevices::graphics.off()
  for (page in list.files(plot_directory, full.names = TRUE)) {
    bytes <- readBin(page, "raw", file.size(page))
    send_and_wait(type = "result", main = FALSE, data = list(`text/plain` = "<plot>", `image/png` = base64(bytes)))
  }
  unlink(plot_directory, recursive = TRUE)
}

# ---- the session as the code sees it

leave <- function(save = "no", status = 0, runLast = FALSE) stop(exit_condition(status))
refuse_input <- function(prompt = "") stop("readline() was called, but there is no one to answer")

overrides <- list(quit = leave, q = leave, display = function(value) show(value), readline = refuse_input)
attach(overrides, name = "kernel", warn.conflicts = FALSE)
options(warn = 1, device = open_device, menu.graphics = FALSE, encoding = "UTF-8")

serve <- function() {
  send(type = "ready")
  repeat {
    request <- read_request()
    do.call(execute, request)
    send(type = "done")
  }
}

suspendInterrupts(serve())
