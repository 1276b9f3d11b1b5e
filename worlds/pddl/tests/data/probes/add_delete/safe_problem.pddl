(define (problem safe-problem)
 (:domain safe-domain)
 (:init
             (= (danger) 0)
 )
 (:goal (and
           (done)
           (= (danger) 0)
        )
 )
)
