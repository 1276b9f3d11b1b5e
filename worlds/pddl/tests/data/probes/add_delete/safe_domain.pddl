(define (domain safe-domain)
 (:requirements :strips :negative-preconditions :conditional-effects)
 (:predicates
             (x)
             (y)
             (done)
 )
 (:functions
             (danger)
 )
 (:action set
  :parameters ()
  :effect (and (y)))
 (:action order_td
  :parameters ()
  :effect (and (x) (not (x))))
 (:action order_dt
  :parameters ()
  :effect (and (not (x)) (x)))
 (:action condclash
  :parameters ()
  :effect (and (x) (when (y) (not (x)))))
 (:action swap
  :parameters ()
  :effect (and (when (y) (x)) (when (not (y)) (not (x))) (when (x) (y)) (when (not (x)) (not (y)))))
 (:action probe
  :parameters ()
  :effect (and (when (not (x)) (assign (danger) (+ 1 (danger))))))
 (:action finish
  :parameters ()
  :precondition (and (x))
  :effect (and (done)))
)
